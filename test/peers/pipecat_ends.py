"""A Pipecat bot that ends its conversations as its model says: on purpose, or by failing. For test/voice/hang-up.spec.ts.

    python pipecat_ends.py

The example's start endpoint, with its environment, and bots of another kind. REPORTS=names: they tell the names of their tools.
"""

import asyncio
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "agents" / "pipecat-cloud-like"))

import agent
from pipecat.frames.frames import CancelWorkerFrame, EndWorkerFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameDirection
from pipecat.processors.frameworks.rtvi.observer import RTVIFunctionCallReportLevel, RTVIObserverParams
from pipecat.services.llm_service import FunctionCallParams
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.transports.livekit.transport import LiveKitParams, LiveKitTransport
from pipecat.workers.runner import WorkerRunner


async def end_conversation(params: FunctionCallParams):
    """Ends the call as Pipecat's documentation of pipeline termination does it."""
    await params.llm.push_frame(EndWorkerFrame(), FrameDirection.UPSTREAM)


async def break_down(params: FunctionCallParams):
    """Ends the pipeline as a failure of it does."""
    await params.llm.push_frame(CancelWorkerFrame(reason="a fatal error"), FrameDirection.UPSTREAM)


async def run_bot(url: str, token: str, room: str) -> None:
    transport = LiveKitTransport(url, token, room, LiveKitParams())
    llm = OpenAILLMService(
        api_key="none",
        base_url=os.environ["OPENAI_BASE_URL"],
        settings=OpenAILLMService.Settings(model="stub", system_instruction="You are a clinician."),
    )
    aggregators = LLMContextAggregatorPair(LLMContext(tools=[end_conversation, break_down]))
    level = RTVIFunctionCallReportLevel.NAME if os.environ.get("REPORTS") == "names" else RTVIFunctionCallReportLevel.NONE
    worker = PipelineWorker(
        Pipeline([transport.input(), aggregators.user(), llm, transport.output(), aggregators.assistant()]),
        rtvi_observer_params=RTVIObserverParams(function_call_report_level={"*": level}),
        idle_timeout_secs=None,
    )

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(_transport, _client):
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


agent.run_bot = run_bot

if __name__ == "__main__":
    asyncio.run(agent.main())
