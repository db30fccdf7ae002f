// Emulated time, in nanoseconds since the machine was made. rp2040js asks for this interface of its own clock; this
// one is cheaper to move on, which happens millions of times a second.

export class Clock {
  constructor() {
    this.ns = 0;
    this.head = null;         // the alarms that are due, the next one first
    this.nextNs = Infinity;   // when that is
  }

  get nanos() { return this.ns; }
  get micros() { return this.ns / 1000; }
  get nanosToNextAlarm() { return this.head ? Math.max(0, this.head.nanos - this.ns) : 0; }

  createAlarm(callback) {
    const clock = this;
    return {
      next: null,
      nanos: 0,
      scheduled: false,
      callback,
      schedule(delay) {
        if (this.scheduled) this.cancel();
        clock.#link(this, delay);
      },
      cancel() {
        clock.#unlink(this);
        this.scheduled = false;
      },
    };
  }

  // Forget all alarms: the chip they belong to is reset.
  clear() {
    this.head = null;
    this.nextNs = Infinity;
  }

  #link(alarm, delay) {
    alarm.nanos = this.ns + delay;
    let before = null;
    let after = this.head;
    while (after && after.nanos <= alarm.nanos) {
      before = after;
      after = after.next;
    }
    alarm.next = after;
    if (before) before.next = alarm;
    else this.head = alarm;
    alarm.scheduled = true;
    this.nextNs = this.head.nanos;
  }

  #unlink(alarm) {
    let before = null;
    let at = this.head;
    while (at && at !== alarm) {
      before = at;
      at = at.next;
    }
    if (at && before) before.next = at.next;
    else if (at) this.head = at.next;
    this.nextNs = this.head ? this.head.nanos : Infinity;
  }

  // Let time pass; what is due meanwhile happens at its own moment.
  tick(delta) {
    const target = this.ns + delta;
    while (this.nextNs <= target) {
      const alarm = this.head;
      this.head = alarm.next;
      this.nextNs = this.head ? this.head.nanos : Infinity;
      alarm.scheduled = false;
      if (alarm.nanos > this.ns) this.ns = alarm.nanos;
      alarm.callback();
    }
    this.ns = target;
  }
}
