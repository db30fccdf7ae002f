// A PC at the other end of the USB cable, as far as the board's serial console needs one: it enumerates the device,
// opens the first serial port and reads and writes it.

import {
  createSetupPacket, DataDirection, DescriptorType, getDescriptorPacket, setDeviceAddressPacket,
  setDeviceConfigurationPacket, SetupRecipient, SetupType,
} from "rp2040js";

const SETUP_GAP_NS = 200_000;       // between two control transfers
const SET_CONTROL_LINE_STATE = 0x22;
const DTR_RTS = 3;                  // a terminal program has opened the port
const PACKET = 64;

// What the PC does with the console: "open" reads it; "closed" never opens it, as a power supply with data lines, or a PC
// on which nobody looks; "deaf" opens it and does not read; "none" is a plain power supply, no PC at all.
export const HOSTS = ["open", "closed", "deaf", "none"];

export class UsbHost {
  // `kind` is one of HOSTS. `onData(bytes)` gets what the board sends.
  constructor(usb, clock, kind, onData) {
    this.usb = usb;
    this.kind = kind;
    this.onData = onData;
    this.queue = [];           // bytes to be sent
    this.room = null;          // how many the board takes now, or null: it is not listening
    this.state = "start";
    this.descriptor = [];
    this.descriptorBytes = 0;
    this.inPoint = -1;         // the serial port's end points
    this.outPoint = -1;
    this.unread = false;       // the board has a packet ready that a deaf host has not asked for
    // A setup packet waits until the control transfer before it has ended, its status stage too, as on a real host:
    // CircuitPython 10 panics when one comes earlier.
    this.packet = null;
    this.statusDone = false;
    this.alarm = clock.createAlarm(() => {
      const packet = this.packet;
      this.packet = null;
      if (packet) usb.sendSetupPacket(packet);
    });
    usb.onUSBEnabled = () => {
      if (kind !== "none") usb.resetDevice();
    };
    usb.onResetReceived = () => {
      this.#setup(setDeviceAddressPacket(1), true);
      this.state = "address";
    };
    usb.onEndpointWrite = (point, bytes) => this.#received(point, bytes);
    usb.onEndpointRead = (point, size) => this.#asked(point, size);
    // rp2040js takes each packet off the board at once, as a PC does that always reads.
    this.taken = usb.indicateBufferReady.bind(usb);
    usb.indicateBufferReady = (point, out) => {
      if (this.kind === "deaf" && point === this.inPoint && !out) this.unread = true;
      else this.taken(point, out);
    };
  }

  // From now on the PC behaves in another way; the cable stays in.
  become(kind) {
    const opened = this.kind === "open" || this.kind === "deaf";
    const opens = kind === "open" || kind === "deaf";
    this.kind = kind;
    if (opens !== opened) this.openPort(opens);
    if (kind !== "deaf" && this.unread) {
      this.unread = false;
      this.taken(this.inPoint, false);
    }
  }

  // `now`: nothing is left of the transfer before; else it had data, and its status stage comes first.
  #setup(packet, now) {
    this.packet = packet;
    if (now) this.statusDone = true;
    this.#arm();
  }

  #arm() {
    if (this.packet && this.statusDone) {
      this.statusDone = false;
      this.alarm.schedule(SETUP_GAP_NS);
    }
  }

  #asked(point, size) {
    if (point === 0) {
      this.usb.endpointReadDone(0, new Uint8Array(0));
      this.statusDone = true;
      this.#arm();
    } else if (point === this.outPoint) {
      this.room = size;
      this.#flush();
    }
    // Any other is left waiting: an endpoint that is answered with nothing asks again at once, for ever.
  }

  #received(point, bytes) {
    if (point === 0) this.#control(bytes);
    else if (point === this.inPoint && bytes.length && this.kind !== "deaf") this.onData(bytes);
  }

  // The board has answered a control transfer.
  #control(bytes) {
    if (!bytes.length && this.state === "address") {
      this.state = "length";
      this.#setup(getDescriptorPacket(DescriptorType.Configration, 9), true);
    } else if (!bytes.length && this.state === "configure") {
      this.state = "ready";
      if (this.kind !== "closed") this.openPort(true);
    } else if (this.state === "length") {
      this.descriptorBytes = bytes[2] | (bytes[3] << 8);
      this.descriptor = [];
      this.state = "descriptor";
      this.#setup(getDescriptorPacket(DescriptorType.Configration, this.descriptorBytes), false);
    } else if (this.state === "descriptor") {
      this.descriptor.push(...bytes);
      if (this.descriptor.length >= this.descriptorBytes) {
        this.#findSerialPort();
        this.state = "configure";
        this.#setup(setDeviceConfigurationPacket(1), false);
      }
    }
  }

  // A terminal program opens the serial port, or closes it.
  openPort(yes) {
    if (this.state !== "ready") return;
    this.#setup(createSetupPacket({
      dataDirection: DataDirection.HostToDevice,
      type: SetupType.Class,
      recipient: SetupRecipient.Device,
      bRequest: SET_CONTROL_LINE_STATE,
      wValue: yes ? DTR_RTS : 0,
      wIndex: 0,
      wLength: 0,
    }), true);
  }

  #findSerialPort() {
    const d = this.descriptor;
    let serial = false;
    for (let at = 0; at + 1 < d.length && d[at] >= 2; at += d[at]) {
      if (d[at + 1] === 4) serial = d[at + 5] === 10 && this.inPoint < 0;           // an interface; CDC data
      if (serial && d[at + 1] === 5 && (d[at + 3] & 3) === 2) {                     // its bulk end points
        if (d[at + 2] & 0x80) this.inPoint = d[at + 2] & 15;
        else this.outPoint = d[at + 2] & 15;
      }
    }
  }

  send(text) {
    this.queue.push(...Buffer.from(text, "utf8"));
    this.#flush();
  }

  #flush() {
    if (this.room === null || !this.queue.length) return;
    const bytes = Uint8Array.from(this.queue.splice(0, Math.min(this.room, PACKET)));
    this.room = null;
    this.usb.endpointReadDone(this.outPoint, bytes);
  }
}
