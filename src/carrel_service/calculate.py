"""Does arithmetic that a model asks for, and nothing else: no names, no attributes, no unbounded powers."""

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

_MOST = 300  # characters of an expression
_DIGITS = 400  # more than any value has, before or behind the point
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "round": lambda value, digits=0: round(value, max(-_DIGITS, min(_DIGITS, int(digits)))),
    "abs": abs,
    "min": min,
    "max": max,
    "sum": lambda *values: math.fsum(values),
    "sqrt": math.sqrt,
}


def calculate(expression: str) -> float | int:
    """The value of an expression such as `round(4200 * 12 * 1.2, 2)`. Raises ValueError that says what is wrong."""
    if len(expression) > _MOST:
        raise ValueError(f"an expression may have {_MOST} characters")
    try:
        value: float | int | complex = _value(ast.parse(expression.replace("^", "**").strip(), mode="eval").body)
    except (SyntaxError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise ValueError(f"{expression} cannot be calculated: {error}") from error
    if isinstance(value, complex) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError(f"{expression} has no finite value")
    return value


def _value(node: ast.AST) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_value(left), _value(right))
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_value(operand))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*map(_value, arguments))
    raise ValueError("only numbers, + - * / // % **, parentheses, round, abs, min, max, sum and sqrt are known")


def _power(base: Any, exponent: Any) -> Any:
    if abs(exponent) > 1_000 or abs(base) > 1e6:
        raise ValueError("the power is too large")
    return float(base) ** exponent
