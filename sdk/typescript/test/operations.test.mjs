// Every operation of openapi.json has its method.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Client, Pages } from "../dist/index.js";

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

test("every operation has a method that asks for it", async (context) => {
  const { paths } = JSON.parse(await readFile(new URL("../../../openapi.json", import.meta.url), "utf8"));
  let asked;
  const fetch = async (url, options) => {
    asked = `${options.method} ${new URL(url).pathname}`;
    return Response.json({ data: [], has_more: false, next_cursor: null });
  };
  const client = new Client({ apiKey: "tm_sk_test_x", baseUrl: "http://127.0.0.1:9", fetch });
  let checked = 0;
  for (const [path, item] of Object.entries(paths)) {
    for (const [verb, { operationId }] of Object.entries(item)) {
      if (operationId === undefined) continue;
      checked += 1;
      await context.test(operationId, async () => {
        const [resource, method] = operationId.split(".").map(camel);
        assert.equal(typeof client[resource]?.[method], "function", "there is no such method");
        // Nothing as a body, a query or sections.
        const given = path.includes("{") ? ["x", []] : [[]];
        const found = client[resource][method](...given);
        await (found instanceof Pages ? found.page() : found);
        assert.equal(asked, `${verb.toUpperCase()} ${path.replace(/{[a-z_]+}/g, "x")}`);
      });
    }
  }
  assert.ok(checked > 40, `only ${checked} operations were found`);
});
