"""A LiveKit agent that is spoken with: espeak-ng is its speech, loudness its speech detection, and its transcriber counts what it hears.

    python livekit_speaks.py start

LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, LLM_BASE_URL   as the example's agent
GREETING                                                         said when the patient comes
"""

import asyncio
import os
import struct
import time

from livekit import rtc
from livekit.agents import Agent, AgentServer, AgentSession, JobContext, JobExecutorType, cli, stt, tts, vad
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS
from livekit.plugins import openai

server = AgentServer(
    job_executor_type=JobExecutorType.THREAD,
    num_idle_processes=2,
    load_fnc=lambda server: len(server.active_jobs) / 100,
    host="127.0.0.1",
    port=0,
)

ESPEAK_RATE = 22_050
LOUD = 400.0
BEGINS_SECONDS = 0.05
ENDS_SECONDS = 0.4


class EspeakStream(tts.ChunkedStream):
    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        program = await asyncio.create_subprocess_exec(
            "espeak-ng", "-v", "en", "-z", "--stdin", "--stdout",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        wav, _ = await program.communicate(self.input_text.encode())
        output_emitter.initialize(
            request_id="espeak", sample_rate=ESPEAK_RATE, num_channels=1, mime_type="audio/pcm"
        )
        output_emitter.push(wav[44:])
        output_emitter.flush()


class Espeak(tts.TTS):
    def __init__(self) -> None:
        super().__init__(
            capabilities=tts.TTSCapabilities(streaming=False), sample_rate=ESPEAK_RATE, num_channels=1
        )

    def synthesize(self, text: str, *, conn_options=DEFAULT_API_CONNECT_OPTIONS) -> EspeakStream:
        return EspeakStream(tts=self, input_text=text, conn_options=conn_options)


class LoudnessStream(vad.VADStream):
    async def _main_task(self) -> None:
        speaking, loud, quiet, seconds, frames = False, 0.0, 0.0, 0.0, []
        async for frame in self._input_ch:
            if not isinstance(frame, rtc.AudioFrame):
                continue
            samples = struct.unpack(f"<{len(frame.data)}h", bytes(frame.data.cast("B")))
            level = (sum(sample * sample for sample in samples[::4]) / max(1, len(samples[::4]))) ** 0.5
            seconds += frame.duration
            loud, quiet = (loud + frame.duration, 0.0) if level > LOUD else (0.0 if not speaking else loud, quiet + frame.duration)
            if speaking or level > LOUD:
                frames.append(frame)

            def event(kind: vad.VADEventType) -> vad.VADEvent:
                return vad.VADEvent(
                    type=kind, samples_index=int(seconds * frame.sample_rate), timestamp=time.time(), speech_duration=loud,
                    silence_duration=quiet, frames=list(frames), speaking=speaking, probability=1.0 if level > LOUD else 0.0,
                    raw_accumulated_silence=quiet, raw_accumulated_speech=loud,
                )  # fmt: skip

            if not speaking and loud >= BEGINS_SECONDS:
                speaking = True
                self._event_ch.send_nowait(event(vad.VADEventType.START_OF_SPEECH))
            self._event_ch.send_nowait(event(vad.VADEventType.INFERENCE_DONE))
            if speaking and quiet >= ENDS_SECONDS:
                speaking = False
                self._event_ch.send_nowait(event(vad.VADEventType.END_OF_SPEECH))
                frames, loud = [], 0.0


class Loudness(vad.VAD):
    def __init__(self) -> None:
        super().__init__(capabilities=vad.VADCapabilities(update_interval=0.05))

    def stream(self) -> LoudnessStream:
        return LoudnessStream(self)


class Counting(stt.STT):
    """Understands each thing that it hears as the number of seconds that it lasted, and no words in less than one."""

    def __init__(self) -> None:
        super().__init__(capabilities=stt.STTCapabilities(streaming=False, interim_results=False))

    async def _recognize_impl(self, buffer, *, language, conn_options) -> stt.SpeechEvent:
        seconds = rtc.combine_audio_frames(buffer).duration
        words = stt.SpeechData(language="en", text="" if seconds < 1 else f"something of {seconds:.1f} seconds")
        return stt.SpeechEvent(type=stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[words])


@server.rtc_session()
async def consultation(context: JobContext) -> None:
    session = AgentSession(
        llm=openai.LLM(base_url=os.environ["LLM_BASE_URL"], api_key="none", model="stub"),
        tts=Espeak(),
        vad=Loudness(),
        stt=Counting(),
        turn_detection="vad",
    )
    await session.start(Agent(instructions="You are a clinician."), room=context.room, record=False)
    if greeting := os.environ.get("GREETING"):
        session.say(greeting)


if __name__ == "__main__":
    cli.run_app(server)
