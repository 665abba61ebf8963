"""A LiveKit agent that ends its conversations as its model says: on purpose, or by failing. For test/voice/hang-up.spec.ts.

    python livekit_ends.py start

LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, LLM_BASE_URL   as the example's agent
ENTRYPOINT=waits                                                 its job is under way as long as the conversation, so it can crash
"""

import asyncio
import os

from livekit import api
from livekit.agents import Agent, AgentServer, AgentSession, JobContext, JobExecutorType, RunContext, cli, function_tool, get_job_context
from livekit.agents.beta.tools import EndCallTool
from livekit.agents.voice.room_io import RoomOptions
from livekit.plugins import openai

server = AgentServer(
    job_executor_type=JobExecutorType.THREAD,
    num_idle_processes=2,
    load_fnc=lambda server: len(server.active_jobs) / 100,
    host="127.0.0.1",
    port=0,
)


class EndingAgent(Agent):
    def __init__(self, crash: asyncio.Event) -> None:
        super().__init__(instructions="You are a clinician.", tools=[EndCallTool()])
        self.crash = crash

    @function_tool
    async def delete_room(self, run: RunContext) -> str:
        """Ends the call as LiveKit's documentation of telephony agents does it: what is being said is said first."""
        await run.wait_for_playout()
        # What reports the call of this tool leaves before the room is gone.
        await asyncio.sleep(0.5)
        context = get_job_context()
        await context.api.room.delete_room(api.DeleteRoomRequest(room=context.room.name))
        return "deleted"

    @function_tool
    async def leave(self) -> str:
        """Ends the job, with which the agent leaves."""
        get_job_context().shutdown(reason="the model said so")
        return "leaving"

    @function_tool
    async def crash_job(self) -> str:
        """Lets the entrypoint fail."""
        self.crash.set()
        return "crashing"


@server.rtc_session()
async def consultation(context: JobContext) -> None:
    crash = asyncio.Event()
    session = AgentSession(llm=openai.LLM(base_url=os.environ["LLM_BASE_URL"], api_key="none", model="stub"))
    await session.start(
        EndingAgent(crash),
        room=context.room,
        room_options=RoomOptions(audio_input=False, audio_output=False),
        record=False,
    )
    if os.environ.get("ENTRYPOINT") == "waits":
        await crash.wait()
        raise RuntimeError("The entrypoint crashed.")


if __name__ == "__main__":
    cli.run_app(server)
