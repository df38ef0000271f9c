"""Every operation of openapi.json has its method, which sends what the operation takes."""

from __future__ import annotations

import inspect
import json
import re
import unittest
from pathlib import Path
from typing import Any, Iterator

import httpx

import tickmark

OPENAPI = json.loads((Path(__file__).parents[3] / "openapi.json").read_text())
PAGE = {"data": [], "has_more": False, "next_cursor": None}


def operations() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Resource, method, request line and description of each operation."""
    for path, item in OPENAPI["paths"].items():
        for verb, operation in item.items():
            if "operationId" in operation:
                resource, name = operation["operationId"].split(".")
                yield resource, name, f"{verb.upper()} {re.sub('{[a-z_]+}', 'x', path)}", operation


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """What a reference stands for."""
    if "$ref" not in node:
        return node
    found: Any = OPENAPI
    for part in node["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return resolved(found)


def taken(operation: dict[str, Any]) -> set[str]:
    """The query parameters and members that the operation takes; lists go on by themselves."""
    parameters = [resolved(parameter) for parameter in operation.get("parameters", [])]
    names = {parameter["name"] for parameter in parameters if parameter["in"] == "query"}
    content = operation.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {}).get("schema", {})
    for schema in body.get("oneOf", [body]):
        names |= resolved(schema).get("properties", {}).keys()
    return names - {"cursor"}


class Operations(unittest.TestCase):
    def test_every_operation_has_a_method_that_asks_for_it(self) -> None:
        asked: list[str] = []

        def answer(request: httpx.Request) -> httpx.Response:
            asked.append(f"{request.method} {request.url.path}")
            return httpx.Response(200, json=PAGE)

        http = httpx.Client(transport=httpx.MockTransport(answer))
        client = tickmark.Client("tm_sk_test_x", base_url="http://127.0.0.1:9", http_client=http)
        self.assertGreater(len([*operations()]), 40)
        for resource, name, line, operation in operations():
            with self.subTest(f"{resource}.{name}"):
                method = getattr(getattr(client, resource), name)
                parameters = inspect.signature(method).parameters
                self.assertEqual(taken(operation) - parameters.keys(), set(), "is not taken")
                needed = [one for one in parameters.values() if one.default is one.empty]
                ids = ["x" for one in needed if one.kind is one.POSITIONAL_OR_KEYWORD]
                found = method(*ids, **{one.name: [] for one in needed if one.kind is one.KEYWORD_ONLY})
                if hasattr(found, "page"):
                    found.page()
                self.assertEqual(asked[-1:], [line])

    def test_the_asynchronous_client_has_the_same(self) -> None:
        client, other = tickmark.Client("tm_sk_test_x"), tickmark.AsyncClient("tm_sk_test_x")
        self.addCleanup(client.close)
        for resource, name, *_ in operations():
            with self.subTest(f"{resource}.{name}"):
                one, two = (getattr(getattr(each, resource), name) for each in (client, other))
                self.assertEqual(inspect.signature(one).parameters, inspect.signature(two).parameters)


if __name__ == "__main__":
    unittest.main()
