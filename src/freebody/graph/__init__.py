"""One graph of operations, from the recursion and from closed forms to every backend."""

from freebody.errors import CodeError, GraphError
from freebody.graph.code import Code, Variable
from freebody.graph.graph import Graph
from freebody.graph.operations import Cell
from freebody.graph.program import Program

__all__ = ["Cell", "Code", "CodeError", "Graph", "GraphError", "Program", "Variable"]
