// An OpenAI-compatible endpoint around a small local model, for trying the remote engine. Not part of the product.
//
//   node server.mjs MODEL.gguf PORT [THREADS]
//
// One thread unless told otherwise: several wait for each other busily, which takes minutes on a machine with other work.
// Answers POST /v1/chat/completions with the shape that response_format asks for. Needs npm's node-llama-cpp.

import { createServer } from "node:http";
import { getLlama, LlamaChatSession } from "node-llama-cpp";

const [modelPath, port, threads] = process.argv.slice(2);
const BODY_BYTES_MAX = 1 << 20;

const llama = await getLlama({ gpu: false, build: "never", logLevel: "error" });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: 4096, threads: Number(threads ?? 1) });
const sequence = context.getSequence();

/** One request after the other: there is one context. */
let last = Promise.resolve();
const inTurn = (work) => (last = last.then(work, work));

async function complete(request) {
    const said = (role) => request.messages.filter((message) => message.role === role);
    const text = (message) => typeof message.content === "string"
        ? message.content
        : message.content.filter((part) => part.type === "text").map((part) => part.text).join("\n");
    const schema = request.response_format?.json_schema?.schema;
    const grammar = schema ? await llama.createGrammarForJsonSchema(schema) : undefined;
    // What the last request began with too (the same question and scheme) is not read again.
    const session = new LlamaChatSession({
        contextSequence: sequence,
        systemPrompt: said("system").map(text).join("\n"),
        autoDisposeSequence: false,
    });
    const answer = await session.promptWithMeta(said("user").map(text).join("\n"), {
        grammar,
        maxTokens: request.max_tokens,
        temperature: request.temperature ?? 0,
        seed: request.seed,
    });
    const used = sequence.contextTokens.length;
    session.dispose();
    return {
        model: request.model,
        choices: [{
            index: 0,
            message: { role: "assistant", content: answer.responseText },
            finish_reason: answer.stopReason === "maxTokens" ? "length" : "stop",
        }],
        usage: { total_tokens: used },
    };
}

async function read(request) {
    let body = "";
    for await (const part of request) {
        body += part;
        if (body.length > BODY_BYTES_MAX) throw new Error("the request is too large");
    }
    return JSON.parse(body);
}

createServer(async (request, response) => {
    const reply = (status, value) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(value));
    };
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
        return reply(404, { error: { message: "no such resource" } });
    }
    try {
        const asked = await read(request);
        reply(200, await inTurn(() => complete(asked)));
    } catch (error) {
        reply(500, { error: { message: String(error) } });
    }
}).listen(Number(port), "127.0.0.1", () => console.log(`listening on ${port}`));
