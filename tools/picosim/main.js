// Runs a Pico from the command line:
//
//   node main.js --uf2 FILE [--uf2 FILE] --bootrom FILE [--script FILE] [--seconds N] [--until TEXT] [--cache]
//                [--log warn|debug] [--quiet] [--save-drive FILE]
//
// What happens is written as lines of JSON, each with the emulated time `t_us`:
//   {"t_us", "serial": text}   {"t_us", "dur_us", "pin", "bits", "rgb", "high_ns"}   {"t_us", "event": {...}}
// and at the end {"t_us", "end": {...}}. Without --quiet, and with standard output a terminal, the console alone is
// shown. The exit code is 2 where the script waited in vain, 3 where the machine broke down, 1 for wrong arguments.

import fs from "node:fs";
import { parseArgs } from "node:util";

import { MISS_CYCLES } from "./cache.js";
import { Pico } from "./pico.js";
import { parse, play } from "./script.js";

function options() {
  const { values } = parseArgs({
    options: {
      uf2: { type: "string", multiple: true, default: [] },
      bootrom: { type: "string" },
      script: { type: "string" },
      seconds: { type: "string", default: "0" },
      until: { type: "string" },
      cache: { type: "boolean", default: false },
      log: { type: "string" },
      console: { type: "boolean", default: false },
      "save-drive": { type: "string" },
    },
  });
  if (!values.uf2.length) throw new Error("--uf2 FILE is missing: the firmware, with the drive in it or in a second --uf2");
  if (!values.bootrom) throw new Error("--bootrom FILE is missing: the chip's boot ROM, 16 kB");
  if (!(Number(values.seconds) >= 0)) throw new Error(`--seconds ${values.seconds}: a number`);
  return values;
}

function bootrom(file) {
  const data = fs.readFileSync(file);
  if (data.length !== 16384) throw new Error(`${file}: ${data.length} bytes; the boot ROM has 16384`);
  return new Uint32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
}

function main() {
  const values = options();
  const script = values.script ? parse(fs.readFileSync(values.script, "utf8")) : {};
  const tell = (line) => {
    if (!values.console) fs.writeSync(1, JSON.stringify(line) + "\n");
    else if (line.serial !== undefined) fs.writeSync(1, line.serial);
  };
  let pico = null;
  const now = () => Math.round(pico.clock.ns / 10) / 100;
  pico = new Pico({
    ...script,
    uf2: values.uf2,
    bootrom: bootrom(values.bootrom),
    cache: values.cache ? MISS_CYCLES : 0,
    log: values.log,
    onSerial: (text) => tell({ t_us: now(), serial: text }),
    onFrame: (frame) => tell(frame),
  });
  const began = Date.now();
  const missing = play(pico, script.events ?? [], (event) => tell({ t_us: now(), event }));
  if (missing === null) pico.run(Number(values.seconds) * 1000, () => Boolean(values.until) && pico.text.includes(values.until));
  if (values["save-drive"]) fs.writeFileSync(values["save-drive"], pico.drive());
  const { broken, resets, erases, programs, instructions, cacheMisses } = pico;
  const seconds = (Date.now() - began) / 1000;
  tell({ t_us: now(), end: { missing, broken, resets, erases, programs, instructions, cacheMisses, seconds } });
  return broken ? 3 : missing === null ? 0 : 2;
}

try {
  process.exitCode = main();
} catch (error) {
  process.stderr.write(`picosim: ${error.message}\n`);
  process.exitCode = 1;
}
