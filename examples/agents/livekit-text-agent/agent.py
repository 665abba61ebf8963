"""A clinical agent in a LiveKit room, spoken with in text. Start it with `python agent.py start`.

LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET   the LiveKit server it registers at
LLM_BASE_URL, LLM_API_KEY, LLM_MODEL               an OpenAI-compatible API that answers
AGENT_NAME                                         empty: joins every new room; else only rooms it is dispatched to
GREETING                                           said when the patient comes; empty: the patient speaks first
"""

import os

from livekit.agents import Agent, AgentServer, AgentSession, JobContext, JobExecutorType, cli, function_tool
from livekit.agents.voice.room_io import RoomOptions
from livekit.plugins import openai

# One thread a conversation is enough for an agent that only writes, and its load is how many it has, not how busy the CPU is.
server = AgentServer(
    job_executor_type=JobExecutorType.THREAD,
    num_idle_processes=4,
    load_fnc=lambda server: len(server.active_jobs) / 100,
    host="127.0.0.1",
    port=0,
)


class ClinicAgent(Agent):
    def __init__(self) -> None:
        super().__init__(instructions="You are a careful clinician on a telehealth line. Ask, advise, escalate.")

    @function_tool
    async def find_emergency_number(self, country: str) -> str:
        """Looks up the emergency number of a country."""
        return {"US": "911", "DE": "112", "UK": "999"}.get(country.upper(), "112")


@server.rtc_session(agent_name=os.environ.get("AGENT_NAME", ""))
async def consultation(context: JobContext) -> None:
    session = AgentSession(
        llm=openai.LLM(
            base_url=os.environ["LLM_BASE_URL"],
            api_key=os.environ.get("LLM_API_KEY", "none"),
            model=os.environ.get("LLM_MODEL", "gpt-4.1-mini"),
        )
    )
    # SESSION_PROTOCOL=off leaves only the text streams, as in frameworks that know nothing else.
    hosted = os.environ.get("SESSION_PROTOCOL", "on") != "off"
    await session.start(
        ClinicAgent(),
        room=context.room,
        room_options=RoomOptions(audio_input=False, audio_output=False),
        session_host=hosted,
        record=False,
    )
    if greeting := os.environ.get("GREETING"):
        session.say(greeting)


if __name__ == "__main__":
    cli.run_app(server)
