"""A small reading of JSON Schema: the words that `sfumato schema` uses, and an error for any other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
COMMENTS = {
    "title",
    "description",
    "default",
    "$schema",
    "$id",
    "$defs",
    "examples",
    "discriminator",
    "deprecated",
    "readOnly",
}
KNOWN = {
    *("$ref", "type", "enum", "const", "anyOf", "oneOf", "allOf", "properties", "required", "additionalProperties"),
    *("items", "prefixItems", "minItems", "maxItems", "minLength", "maxLength", "pattern", "propertyNames"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "patternProperties", "format", "minProperties"),
}


def faults(value: Any, schema: Any, root: Mapping[str, Any], path: str = "$") -> Iterator[str]:
    """Where the document is not as the schema says."""
    if isinstance(schema, bool):
        if not schema:
            yield f"{path}: not allowed"
        return
    unknown = schema.keys() - COMMENTS - KNOWN
    assert not unknown, f"the schema has words that are not read here: {unknown}"
    if "$ref" in schema:
        target: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        yield from faults(value, target, root, path)
    kinds = schema.get("type")
    if kinds is not None and not any(_is(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield f"{path}: {type(value).__name__} is no {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: not one of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: not {schema['const']}"
    for word in ("anyOf", "oneOf"):
        if word in schema and all(list(faults(value, each, root, path)) for each in schema[word]):
            yield f"{path}: nothing of {word} fits"
    for each in schema.get("allOf", ()):
        yield from faults(value, each, root, path)
    yield from _parts(value, schema, root, path)


def _parts(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], path: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{path}: lacks {name}" for name in schema.get("required", ()) if name not in value)
        known = schema.get("properties", {})
        for name, each in value.items():
            yield from faults(each, known.get(name, schema.get("additionalProperties", True)), root, f"{path}.{name}")
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from faults(each, schema.get("items", True), root, f"{path}[{place}]")
        if len(value) < schema.get("minItems", 0):
            yield f"{path}: too short"
    elif isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{path}: does not match {schema['pattern']}"
    elif isinstance(value, (int, float)) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{path}: out of range"


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, float) and value.is_integer())
