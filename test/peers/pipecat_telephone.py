"""A Pipecat bot for telephones, behind a WebSocket as Twilio Media Streams connects to one. For test/voice/pipecat-telephone.spec.ts.

    PORT=8100 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 python pipecat_telephone.py

Twilio's messages are read and written by Pipecat's own serializer. espeak-ng is its speech, loudness its speech detection, and its
transcriber counts what it hears. It prints the events of Twilio that come and go, but for sound.
"""

import asyncio
import json
import os

import uvicorn
from fastapi import FastAPI, WebSocket
from pipecat.audio.vad.vad_analyzer import VADAnalyzer, VADParams
from pipecat.frames.frames import (
    Frame,
    OutputTransportMessageFrame,
    TranscriptionFrame,
    TTSAudioRawFrame,
    TTSStoppedFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.serializers.twilio import TwilioFrameSerializer
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.stt_service import SegmentedSTTService
from pipecat.services.tts_service import TTSService
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams, FastAPIWebsocketTransport
from pipecat.turns.user_stop.speech_timeout_user_turn_stop_strategy import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.utils.time import time_now_iso8601
from pipecat.workers.runner import WorkerRunner

LINE_RATE = 8_000
ESPEAK_RATE = 22_050
LOUD = 400.0


class Loudness(VADAnalyzer):
    def num_frames_required(self) -> int:
        return self.sample_rate // 50

    def voice_confidence(self, buffer: bytes) -> float:
        samples = memoryview(buffer).cast("h")
        level = (sum(sample * sample for sample in samples) / max(1, len(samples))) ** 0.5
        return 1.0 if level > LOUD else 0.0


class Counting(SegmentedSTTService):
    """Understands each thing that it hears as the number of seconds that it lasted."""

    async def run_stt(self, audio: bytes):
        seconds = len(audio) / 2 / self.sample_rate
        yield TranscriptionFrame(f"something of {seconds:.1f} seconds", "", time_now_iso8601())


class Espeak(TTSService):
    async def run_tts(self, text: str, context_id: str):
        program = await asyncio.create_subprocess_exec(
            "espeak-ng", "-v", "en", "-z", "--stdin", "--stdout",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        wav, _ = await program.communicate(text.encode())
        yield TTSAudioRawFrame(wav[44:], ESPEAK_RATE, 1, context_id=context_id)


class Told(TwilioFrameSerializer):
    """Twilio's serializer, which prints what comes and goes."""

    async def serialize(self, frame: Frame):
        message = await super().serialize(frame)
        if message is not None and (event := json.loads(message)["event"]) != "media":
            print(f"sent {event}", flush=True)
        return message

    async def deserialize(self, data: str | bytes):
        message = json.loads(data)
        if message["event"] != "media":
            name = message.get("mark", {}).get("name", "")
            print(f"got {message['event']} {name}".rstrip(), flush=True)
        return await super().deserialize(data)


class Marks(FrameProcessor):
    """Asks to be told when an answer was played, as bots for Twilio do."""

    def __init__(self, stream_sid: str) -> None:
        super().__init__()
        self._stream_sid = stream_sid
        self._answers = 0

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if isinstance(frame, TTSStoppedFrame):
            self._answers += 1
            mark = {"event": "mark", "streamSid": self._stream_sid, "mark": {"name": f"answer {self._answers}"}}
            await self.push_frame(OutputTransportMessageFrame(message=mark), direction)


app = FastAPI()


@app.websocket("/media")
async def media(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.receive_text()
    start = json.loads(await websocket.receive_text())["start"]
    stream_sid = start["streamSid"]
    serializer = Told(stream_sid, start["callSid"], params=TwilioFrameSerializer.InputParams(auto_hang_up=False))
    transport = FastAPIWebsocketTransport(
        websocket, FastAPIWebsocketParams(audio_in_enabled=True, audio_out_enabled=True, serializer=serializer)
    )
    llm = OpenAILLMService(
        api_key="none",
        base_url=os.environ["OPENAI_BASE_URL"],
        settings=OpenAILLMService.Settings(model="stub", system_instruction="You are a clinician."),
    )
    aggregators = LLMContextAggregatorPair(
        LLMContext(),
        user_params=LLMUserAggregatorParams(
            vad_analyzer=Loudness(params=VADParams(stop_secs=0.4, min_volume=0.0)),
            user_turn_strategies=UserTurnStrategies(stop=[SpeechTimeoutUserTurnStopStrategy()]),
        ),
    )
    steps = [
        transport.input(), Counting(), aggregators.user(), llm, Espeak(push_stop_frames=True, push_start_frame=True),
        Marks(stream_sid), transport.output(), aggregators.assistant(),
    ]  # fmt: skip
    worker = PipelineWorker(
        Pipeline(steps),
        params=PipelineParams(audio_in_sample_rate=LINE_RATE, audio_out_sample_rate=LINE_RATE),
        idle_timeout_secs=None,
    )

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(_transport, _client):
        await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()
    print("the call has ended", flush=True)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]))
