/* A call of a compiled function that takes its arguments from numpy's arrays itself.
 *
 * It takes the short way only for what it knows: floats and contiguous arrays of double precision
 * of just the right shape, in order, and `out` by its name or not at all. All else goes to a
 * callable of Python, which works it out or refuses it. */

#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_19_API_VERSION
#include <Python.h>
#include <stddef.h>
#include <string.h>
#include <numpy/arrayobject.h>

#define NUMBER (-1)

typedef void (*function)(const double *, double *);

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    function evaluate;
    double *x;           /* all arguments, one after another, then what they leave alone */
    PyObject *otherwise; /* takes what is not taken here */
    PyObject *keeps;     /* what must live as long as this does */
    Py_ssize_t count, *sizes; /* of each argument; NUMBER for a float */
    int axes;
    npy_intp *shape; /* of the output */
} Call;

static PyObject *out_name;

static int is_plain(PyObject *value, int axes, const npy_intp *shape, int flags)
{
    if (!PyArray_CheckExact(value)) return 0;
    PyArrayObject *array = (PyArrayObject *)value;
    return PyArray_TYPE(array) == NPY_DOUBLE && PyArray_NDIM(array) == axes
           && PyArray_CompareLists(PyArray_DIMS(array), shape, axes)
           && PyArray_CHKFLAGS(array, flags) && PyArray_ISNOTSWAPPED(array);
}

static int take(Call *self, PyObject *const *arguments)
{
    double *x = self->x;
    for (Py_ssize_t i = 0; i < self->count; i++) {
        if (self->sizes[i] == NUMBER) {
            if (!PyFloat_Check(arguments[i])) return 0;
            *x++ = PyFloat_AS_DOUBLE(arguments[i]);
        } else {
            npy_intp size = self->sizes[i];
            if (!is_plain(arguments[i], 1, &size, NPY_ARRAY_CARRAY_RO)) return 0;
            memcpy(x, PyArray_DATA((PyArrayObject *)arguments[i]), size * sizeof(double));
            x += size;
        }
    }
    return 1;
}

static PyObject *call(PyObject *me, PyObject *const *arguments, size_t flag, PyObject *names)
{
    Call *self = (Call *)me;
    Py_ssize_t count = PyVectorcall_NARGS(flag);
    Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    PyObject *out = NULL;
    if (count != self->count || named > 1) goto otherwise;
    if (named == 1) {
        PyObject *name = PyTuple_GET_ITEM(names, 0);
        out = arguments[count];
        if (name != out_name && PyUnicode_Compare(name, out_name) != 0) goto otherwise;
        if (!is_plain(out, self->axes, self->shape, NPY_ARRAY_CARRAY)) goto otherwise;
    }
    if (!take(self, arguments)) goto otherwise;
    if (out != NULL)
        Py_INCREF(out);
    else if ((out = PyArray_SimpleNew(self->axes, self->shape, NPY_DOUBLE)) == NULL)
        return NULL;
    self->evaluate(self->x, PyArray_DATA((PyArrayObject *)out));
    return out;
otherwise:
    return PyObject_Vectorcall(self->otherwise, arguments, flag, names);
}

static void release(PyObject *me)
{
    Call *self = (Call *)me;
    PyMem_Free(self->sizes);
    PyMem_Free(self->shape);
    Py_XDECREF(self->otherwise);
    Py_XDECREF(self->keeps);
    Py_TYPE(me)->tp_free(me);
}

static PyTypeObject CallType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "freebody.backends.Call",
    .tp_doc = "A compiled function for constants that do not change.",
    .tp_basicsize = sizeof(Call),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(Call, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_dealloc = release,
};

static PyObject *make(PyObject *module, PyObject *arguments)
{
    Py_ssize_t address;
    PyObject *x, *sizes, *shape, *otherwise, *keeps;
    if (!PyArg_ParseTuple(arguments, "nO!O!O!OO", &address, &PyArray_Type, &x, &PyTuple_Type,
                          &sizes, &PyTuple_Type, &shape, &otherwise, &keeps))
        return NULL;
    Call *self = (Call *)CallType.tp_alloc(&CallType, 0);
    if (self == NULL) return NULL;
    self->vectorcall = call;
    self->evaluate = (function)address;
    self->x = PyArray_DATA((PyArrayObject *)x);
    self->count = PyTuple_GET_SIZE(sizes);
    self->axes = (int)PyTuple_GET_SIZE(shape);
    self->sizes = PyMem_Calloc(self->count + 1, sizeof(Py_ssize_t));
    self->shape = PyMem_Calloc(self->axes + 1, sizeof(npy_intp));
    self->otherwise = Py_NewRef(otherwise);
    self->keeps = Py_BuildValue("(OO)", x, keeps);
    if (self->sizes == NULL || self->shape == NULL || self->keeps == NULL) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < self->count; i++)
        self->sizes[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(sizes, i));
    for (Py_ssize_t i = 0; i < self->axes; i++)
        self->shape[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, i));
    if (PyErr_Occurred()) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyMethodDef methods[] = {{"make", make, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "caller", NULL, -1, methods,
                                        NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_caller(void)
{
    import_array();
    if (PyType_Ready(&CallType) < 0) return NULL;
    out_name = PyUnicode_InternFromString("out");
    return out_name == NULL ? NULL : PyModule_Create(&definition);
}
