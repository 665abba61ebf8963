"""A Pipecat bot that is spoken with: espeak-ng is its speech, loudness its speech detection, and its transcriber counts what it hears.

    python pipecat_speaks.py

The example's start endpoint, with its environment, and bots of another kind. GREETING: what they say when the patient comes.
"""

import asyncio
import io
import os
import struct
import sys
import wave
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "agents" / "pipecat-cloud-like"))

import agent
from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADParams
from pipecat.frames.frames import TranscriptionFrame, TTSSpeakFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.settings import STTSettings, TTSSettings
from pipecat.services.stt_service import SegmentedSTTService
from pipecat.services.tts_service import TTSService
from pipecat.transports.livekit.transport import LiveKitParams, LiveKitTransport
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.utils.time import time_now_iso8601
from pipecat.workers.runner import WorkerRunner

ESPEAK_RATE = 22_050
LOUD = 400.0
FRAME_SECONDS = 0.02


def is_loud(pcm: bytes) -> bool:
    samples = struct.unpack(f"<{len(pcm) // 2}h", pcm)[::4]
    return (sum(sample * sample for sample in samples) / max(1, len(samples))) ** 0.5 > LOUD


class Espeak(TTSService):
    def __init__(self) -> None:
        super().__init__(
            push_start_frame=True, push_stop_frames=True, settings=TTSSettings(model=None, voice=None, language=None)
        )

    async def run_tts(self, text: str, context_id: str):
        program = await asyncio.create_subprocess_exec(
            "espeak-ng", "-v", "en", "-z", "--stdin", "--stdout",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        wav, _ = await program.communicate(text.encode())

        async def pieces():
            for at in range(44, len(wav), ESPEAK_RATE // 5):
                yield wav[at : at + ESPEAK_RATE // 5]

        async for frame in self._stream_audio_frames_from_iterator(
            pieces(), in_sample_rate=ESPEAK_RATE, context_id=context_id
        ):
            yield frame


class Loudness(VADAnalyzer):
    def __init__(self) -> None:
        super().__init__(params=VADParams(start_secs=0.1, stop_secs=0.4, min_volume=0))

    def num_frames_required(self) -> int:
        return int(self.sample_rate * FRAME_SECONDS)

    def voice_confidence(self, buffer: bytes) -> float:
        return 1.0 if is_loud(buffer) else 0.0


class Counting(SegmentedSTTService):
    """Understands each thing that it hears as the number of seconds that it lasted."""

    def __init__(self) -> None:
        super().__init__(ttfs_p99_latency=0.1, settings=STTSettings(model=None, language=None))

    async def run_stt(self, audio: bytes):
        with wave.open(io.BytesIO(audio)) as clip:
            size = int(clip.getframerate() * FRAME_SECONDS) * 2
            pcm = clip.readframes(clip.getnframes())
        seconds = FRAME_SECONDS * sum(is_loud(pcm[at : at + size]) for at in range(0, len(pcm), size))
        yield TranscriptionFrame(f"something of {seconds:.1f} seconds", self._user_id, time_now_iso8601())


async def run_bot(url: str, token: str, room: str) -> None:
    transport = LiveKitTransport(url, token, room, LiveKitParams(audio_in_enabled=True, audio_out_enabled=True))
    llm = OpenAILLMService(
        api_key="none",
        base_url=os.environ["OPENAI_BASE_URL"],
        settings=OpenAILLMService.Settings(model="stub", system_instruction="You are a clinician."),
    )
    aggregators = LLMContextAggregatorPair(
        LLMContext(),
        user_params=LLMUserAggregatorParams(
            vad_analyzer=Loudness(),
            user_turn_strategies=UserTurnStrategies(stop=[SpeechTimeoutUserTurnStopStrategy()]),
        ),
    )
    worker = PipelineWorker(
        Pipeline(
            [transport.input(), Counting(), aggregators.user(), llm, Espeak(), transport.output(), aggregators.assistant()]
        ),
        idle_timeout_secs=None,
    )

    @worker.rtvi.event_handler("on_client_ready")
    async def on_client_ready(_rtvi):
        if greeting := os.environ.get("GREETING"):
            await worker.queue_frames([TTSSpeakFrame(greeting)])

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(_transport, _client):
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


agent.run_bot = run_bot

if __name__ == "__main__":
    asyncio.run(agent.main())
