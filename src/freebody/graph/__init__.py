"""One graph of operations, from the recursion and from closed forms to every backend."""
