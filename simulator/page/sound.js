// The piezo of the board: its notes come as [microseconds of the board's time, hertz, loudness 0..1]; 0 hertz is silence.

const DELAY_S = 0.06;     // notes come in batches, sixty a second at most: so much later they are played evenly
const LATE_S = 0.25;      // further behind or ahead than this they begin anew
const EDGE_S = 0.004;     // in which a note comes and goes, so that it does not click
const VOLUME = 0.2;

export class Piezo {
  constructor() {
    this.on = false;
    this.audio = null;
    this.base = NaN;      // the audio clock's time at the board's time 0
  }

  // By a touch of the page only: browsers allow no sound before.
  turn(on) {
    this.on = on;
    if (on && !this.audio) this.build();
    if (on) this.audio.resume();
    else this.audio?.suspend();
    this.base = NaN;
  }

  build() {
    this.audio = new AudioContext();
    this.tone = new OscillatorNode(this.audio, { type: "square" });
    this.loud = new GainNode(this.audio, { gain: 0 });
    const soft = new BiquadFilterNode(this.audio, { type: "lowpass", frequency: 5000 });
    this.tone.connect(soft).connect(this.loud).connect(this.audio.destination);
    this.tone.start();
  }

  play(notes, speed) {
    if (!this.on) return;
    const now = this.audio.currentTime;
    for (const [us, hertz, loudness] of notes) {
      const t = us / 1e6 / speed, ahead = this.base + t - now;
      if (!(ahead >= 0 && ahead < LATE_S)) this.base = now + DELAY_S - t;
      const at = this.base + t;
      if (hertz) this.tone.frequency.setValueAtTime(hertz, at);
      this.loud.gain.setTargetAtTime(loudness * VOLUME, at, EDGE_S);
    }
  }
}
