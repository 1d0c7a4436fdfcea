"""A function as a command: its groups of options spread out."""

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any

__all__ = ["as_command"]


def as_command(function: Callable[..., None]) -> Callable[..., None]:
    """The function for typer, where every parameter that is a dataclass becomes its fields.

    Commands share options by sharing such a group.
    """
    groups: dict[str, tuple[type[Any], list[str]]] = {}
    parameters: list[Parameter] = []
    for name, parameter in signature(function, eval_str=True).parameters.items():
        kind: Any = parameter.annotation
        if isinstance(kind, type) and is_dataclass(kind):
            options = signature(kind, eval_str=True).parameters
            groups[name] = kind, list(options)
            parameters += options.values()
        else:
            parameters.append(parameter)

    @wraps(function)
    def command(**given: Any) -> None:
        for name, (group, options) in groups.items():
            given[name] = group(**{option: given.pop(option) for option in options})
        function(**given)

    of_keywords = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in parameters]
    vars(command)["__signature__"] = Signature(of_keywords)
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command
