"""A clinic's Pipecat bot behind a start endpoint with Pipecat Cloud's paths, on a LiveKit server of your own.

    pip install -r requirements.txt
    LIVEKIT_URL=ws://127.0.0.1:7880 LIVEKIT_API_KEY=devkey LIVEKIT_API_SECRET=secret \
    OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_API_KEY=none MODEL=my-model python agent.py

prints its address. Every start puts a bot into a room and answers where to join it; a caller that brings a room of its own
(url, room and token in the start's body) gets its bot there. Also read: PORT (8100), PUBLIC_KEY (the key that callers need;
any will do without it), AGENT_NAME (the one agent that exists, clinic), GREETING (what the bot is told to open with).
"""

import asyncio
import os
import uuid

from aiohttp import web
from livekit import api
from pipecat.frames.frames import LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.services.llm_service import FunctionCallParams
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.transports.livekit.transport import LiveKitParams, LiveKitTransport
from pipecat.workers.runner import WorkerRunner

INSTRUCTION = "You answer patients who write to a clinic. Name emergencies as such and say whom to call."


async def opening_hours(params: FunctionCallParams):
    """When the clinic is open today."""
    await params.result_callback({"today": "08:00 to 18:00"})


async def run_bot(url: str, token: str, room: str) -> None:
    """One conversation: from joining the room until the caller leaves it or ends the bot."""
    transport = LiveKitTransport(url, token, room, LiveKitParams())
    llm = OpenAILLMService(
        api_key=os.environ.get("OPENAI_API_KEY", "none"),
        base_url=os.environ.get("OPENAI_BASE_URL"),
        settings=OpenAILLMService.Settings(model=os.environ.get("MODEL", "gpt-4.1"), system_instruction=INSTRUCTION),
    )
    context = LLMContext(tools=[opening_hours])
    aggregators = LLMContextAggregatorPair(context)
    worker = PipelineWorker(
        # A voice bot has speech recognition before the model and a voice behind it; RTVI is added by itself.
        Pipeline([transport.input(), aggregators.user(), llm, transport.output(), aggregators.assistant()]),
        # It counts speech only: a patient who writes would be cut off.
        idle_timeout_secs=None,
    )

    @worker.rtvi.event_handler("on_client_ready")
    async def on_client_ready(_rtvi):
        if greeting := os.environ.get("GREETING"):
            context.add_message({"role": "user", "content": greeting})
            await worker.queue_frames([LLMRunFrame()])

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(_transport, _client):
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


def token_for(room: str, identity: str, is_agent: bool) -> str:
    grants = api.VideoGrants(room_join=True, room=room, agent=is_agent)
    key, secret = os.environ["LIVEKIT_API_KEY"], os.environ["LIVEKIT_API_SECRET"]
    return api.AccessToken(key, secret).with_identity(identity).with_grants(grants).to_jwt()


sessions: dict[str, asyncio.Task] = {}


def refusal_of(request: web.Request) -> web.Response | None:
    """Wrong keys and unknown agents, answered as Pipecat Cloud answers them."""
    key = os.environ.get("PUBLIC_KEY")
    if key is not None and request.headers.get("Authorization") != f"Bearer {key}":
        return web.json_response({"error": "Invalid API key", "code": "PCC-1002"}, status=401)
    if request.match_info["agent"] != os.environ.get("AGENT_NAME", "clinic"):
        return web.json_response({"error": "Agent not found", "code": "404"}, status=404)
    return None


async def start(request: web.Request) -> web.Response:
    if (refusal := refusal_of(request)) is not None:
        return refusal
    body = (await request.json()).get("body") or {}
    session_id = str(uuid.uuid4())
    if {"url", "room", "token"} <= body.keys():
        where, answer = (body["url"], body["token"], body["room"]), {}
    else:
        url, room = os.environ["LIVEKIT_URL"], f"clinic-{session_id[:8]}"
        where = (url, token_for(room, f"bot-{session_id[:8]}", True), room)
        answer = {"url": url, "token": token_for(room, f"caller-{session_id[:8]}", False)}
    sessions[session_id] = asyncio.create_task(run_bot(*where))
    sessions[session_id].add_done_callback(lambda _: sessions.pop(session_id, None))
    return web.json_response({"sessionId": session_id, **answer})


async def end(request: web.Request) -> web.Response:
    if (refusal := refusal_of(request)) is not None:
        return refusal
    if (session := sessions.get(request.match_info["session"])) is None:
        return web.json_response({"error": "Session not found", "code": "404"}, status=404)
    session.cancel()
    return web.json_response({"status": "stopped"})


async def list_sessions(_request: web.Request) -> web.Response:
    return web.json_response({"sessions": list(sessions)})


app = web.Application()
app.router.add_post("/v1/public/{agent}/start", start)
app.router.add_delete("/v1/agents/{agent}/sessions/{session}", end)
app.router.add_get("/sessions", list_sessions)


async def main() -> None:
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", int(os.environ.get("PORT", "8100")))
    await site.start()
    _host, port = site._server.sockets[0].getsockname()
    print(f"Pipecat bots can be started at http://127.0.0.1:{port}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
