// The board as an object: a plank of dark wood with bowls, a carved border and the line between the two halves.
//
// Everything is worked out once for a layout, in linear light: a height for each point, from it the slope, and from that how
// lamplight falls on it (the picture of the dark board) and how each bowl looks when white light of full strength shines in
// it. Drawing a frame (light.js) is then only tinting and adding.

const BOWL = 0.395;         // radius of a bowl; the unit is the distance of two holes
const DEPTH = 0.26;         // of a bowl
const BORDER = 0.5;         // from the outermost holes' cells to the plank's edge
const ROOM = 0.6;           // around the plank, for the light that spills over its edge

const clamp = (x, a, b) => (x < a ? a : x > b ? b : x);
const smooth = (a, b, x) => { const t = clamp((x - a) / (b - a), 0, 1); return t * t * (3 - 2 * t); };
// Linear light to the display's numbers; a pure power, so that tinting (a product) is exact in either.
export const encode = (x) => Math.pow(clamp(x, 0, 1), 1 / 2.2);

// ---- layout ---------------------------------------------------------------------------------------------------

// Rows are as seen from South's chair, the far one first. On a tall screen the board stands on its left end: South's row is the
// left column, from top to bottom. There cells may be `wide` times as wide as they are high, and the bowls are troughs.
export function layout(rows, tall, wide = 1) {
  const cells = [];
  rows.forEach((row, r) => row.forEach((hole, c) => {
    cells.push(tall ? { hole, x: rows.length - 1 - r, y: c } : { hole, x: c, y: r });
  }));
  const columns = 1 + Math.max(...cells.map((cell) => cell.x));
  const lines = 1 + Math.max(...cells.map((cell) => cell.y));
  const edge = ROOM + BORDER;
  const place = cells.map((cell) => ({ ...cell, cx: edge + (cell.x + 0.5) * wide, cy: edge + cell.y + 0.5 }));
  place.sort((a, b) => a.hole - b.hole);
  return {
    tall, wide, columns, lines, place, count: place.length, trough: (wide - 1) / 2,
    width: columns * wide + 2 * edge, height: lines + 2 * edge, bowl: BOWL, room: ROOM,
  };
}

// ---- noise ----------------------------------------------------------------------------------------------------

function hash(x, y) {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967295;
}

function noise(x, y) {
  const xi = Math.floor(x), yi = Math.floor(y);
  let u = x - xi, v = y - yi;
  u = u * u * (3 - 2 * u); v = v * v * (3 - 2 * v);
  const a = hash(xi, yi), b = hash(xi + 1, yi), c = hash(xi, yi + 1), d = hash(xi + 1, yi + 1);
  return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

// ---- the plank ------------------------------------------------------------------------------------------------

// Distance to the nearest point of a segment.
function toSegment(px, py, s) {
  const dx = s[2] - s[0], dy = s[3] - s[1];
  const t = clamp(((px - s[0]) * dx + (py - s[1]) * dy) / (dx * dx + dy * dy), 0, 1);
  return Math.hypot(px - s[0] - t * dx, py - s[1] - t * dy);
}

// The carved line between the two halves of the ring: the shared edges of neighbouring cells of different halves.
function dividing(plan) {
  const half = plan.count / 2, at = new Map(), edge = ROOM + BORDER, lines = [];
  for (const p of plan.place) at.set(p.x + "," + p.y, p.hole < half);
  for (const p of plan.place) {
    const right = at.get(p.x + 1 + "," + p.y), below = at.get(p.x + "," + (p.y + 1)), mine = p.hole < half;
    const x = edge + p.x * plan.wide, y = edge + p.y, far = x + plan.wide;
    if (right !== undefined && right !== mine) lines.push([far, y, far, y + 1]);
    if (below !== undefined && below !== mine) lines.push([x, y + 1, far, y + 1]);
  }
  return lines;
}

// The border: lozenges between two lines, as on the hems of Ethiopian cloth. How deep the knife went here, 0 to 1.
function ornament(x, y, plan, px) {
  const w = plan.width - 2 * ROOM, h = plan.height - 2 * ROOM;
  const u = x - ROOM, v = y - ROOM;
  const dx = Math.min(u, w - u), dy = Math.min(v, h - v);
  const d = Math.min(dx, dy);
  if (d > 0.42 || d < 0.08) return 0;
  const line = (k) => Math.max(0, 1 - k / (0.011 + px * 0.3));
  let cut = Math.max(line(Math.abs(d - 0.155)), line(Math.abs(d - 0.375)));
  if (d > 0.16 && d < 0.37) {
    const length = dx < dy ? h : w, along = dx < dy ? v : u, other = Math.max(dx, dy);
    if (other > 0.375) {
      const inside = length - 2 * 0.375, count = Math.round(inside / 0.24), period = inside / count;
      const f = ((along - 0.375) / period) % 1, across = (d - 0.265) / 0.095;
      const k = Math.abs(f - 0.5) * 2;      // 1 at the joints of the lozenges, 0 in their middles
      const rim = Math.abs(Math.abs(across) + k - 1) * 0.075;
      cut = Math.max(cut, line(rim), 0.9 * smooth(0.034, 0.022, Math.hypot((f - 0.5) * period, d - 0.265)));
    } else {
      const a = Math.abs(dx - 0.265) / 0.095, b = Math.abs(dy - 0.265) / 0.095;   // a small cross in each corner
      cut = Math.max(cut, line(Math.abs(a + b - 1) * 0.075), line(Math.min(a, b) * 0.095) * (a + b < 0.75 ? 1 : 0));
    }
  }
  return cut;
}

// How far x is from the heart of a bowl, which in a trough is a line.
const aside = (dx, trough) => Math.sign(dx) * Math.max(0, Math.abs(dx) - trough);

// Works out the plank, `UNIT` pixels from hole to hole. Returns the picture of the dark board and all that `response` needs.
export function carve(plan, UNIT) {
  const W = Math.round(plan.width * UNIT), H = Math.round(plan.height * UNIT), px = 1 / UNIT;
  const height = new Float32Array(W * H), tone = new Float32Array(W * H), solid = new Float32Array(W * H);
  const near = new Int8Array(W * H), away = new Float32Array(W * H);
  const lines = dividing(plan), edge = ROOM + BORDER;
  const pw = plan.width - 2 * ROOM, ph = plan.height - 2 * ROOM, corner = 0.3;
  const byCell = new Map(plan.place.map((p) => [p.x + "," + p.y, p]));

  for (let j = 0; j < H; j++) {
    const y = (j + 0.5) * px;
    for (let i = 0; i < W; i++) {
      const x = (i + 0.5) * px, at = j * W + i;
      // inside the plank's rounded outline: how far from its edge
      const qx = Math.abs(x - plan.width / 2) - pw / 2 + corner, qy = Math.abs(y - plan.height / 2) - ph / 2 + corner;
      const out = Math.hypot(Math.max(qx, 0), Math.max(qy, 0)) + Math.min(Math.max(qx, qy), 0) - corner;
      if (out > px) continue;
      solid[at] = clamp(0.5 - out / px, 0, 1);
      // the grain runs along the plank
      const gx = plan.tall ? y : x, gy = plan.tall ? x : y;
      const bend = noise(gx * 0.28, gy * 0.9) * 1.7 + noise(gx * 0.9 + 9, gy * 2.6) * 0.42 + noise(gx * 3, gy * 9 + 4) * 0.07;
      const rings = Math.sin((gy * 1.55 + bend * 2.3) * 6.3);
      const ring = 0.5 + 0.5 * rings * Math.abs(rings);
      const fibre = noise(gx * 3.1 + 40, gy * 41) * 0.5 + noise(gx * 8.3 + 3, gy * 66) * 0.5;
      const pore = smooth(0.66, 0.8, noise(gx * 6.7 + 77, gy * 61 + 31)) * (0.25 + 0.75 * ring);
      const cloud = noise(gx * 0.7 + 5, gy * 0.9 + 2);
      tone[at] = clamp(0.2 + 0.3 * ring + 0.3 * (fibre - 0.5) + 0.3 * (cloud - 0.5) - 0.2 * pore, 0.01, 1);
      let h = (fibre - 0.5) * 0.0012 - pore * 0.002;
      h -= 0.075 * Math.pow(smooth(-0.1, 0.012, out), 2.2);                    // the edge is rounded off
      const cut = ornament(x, y, plan, px);
      h -= 0.014 * cut;
      tone[at] *= 1 - 0.42 * cut;                                              // dust and wax stay in the cuts
      const cell = byCell.get(Math.floor((x - edge) / plan.wide) + "," + Math.floor(y - edge));
      near[at] = -1;
      if (cell) {
        const r = Math.hypot(aside(x - cell.cx, plan.trough), y - cell.cy) / BOWL;
        near[at] = cell.hole; away[at] = r;
        if (r < 1) h = h * (0.2 + 0.8 * r) - DEPTH * (1 - Math.pow(r, 2.4));
        h += 0.02 * Math.exp(-Math.pow((r - 1.07) / 0.06, 2));                 // a lip around the bowl
      }
      let groove = 9;
      for (const s of lines) groove = Math.min(groove, toSegment(x, y, s));
      h -= 0.016 * Math.max(0, 1 - groove / 0.018);
      height[at] = h;
    }
  }

  // Slopes, and the dark board under a lamp from the upper left.
  const nx = new Float32Array(W * H), ny = new Float32Array(W * H), nz = new Float32Array(W * H);
  const dark = new ImageData(W, H), px4 = dark.data;
  const lx = -0.42, ly = -0.62, lz = 0.66, hx = -0.235, hy = -0.347, hz = 0.908;
  for (let j = 0; j < H; j++) {
    for (let i = 0; i < W; i++) {
      const at = j * W + i;
      if (!solid[at]) continue;
      const l = i > 0 && solid[at - 1] ? at - 1 : at, r = i < W - 1 && solid[at + 1] ? at + 1 : at;
      const u = j > 0 && solid[at - W] ? at - W : at, d = j < H - 1 && solid[at + W] ? at + W : at;
      const sx = (height[l] - height[r]) * UNIT / Math.max(1, r - l), sy = (height[u] - height[d]) * UNIT / Math.max(1, (d - u) / W);
      const n = 1 / Math.hypot(sx, sy, 1);
      nx[at] = sx * n; ny[at] = sy * n; nz[at] = n;
      const [wr, wg, wb] = wood(tone[at]);
      let lamp = 0.14 + 0.78 * Math.max(0, nx[at] * lx + ny[at] * ly + n * lz);
      let shine = Math.pow(Math.max(0, nx[at] * hx + ny[at] * hy + n * hz), 26) * 0.03;
      const r1 = near[at] >= 0 ? away[at] : 9;
      if (r1 < 1) {                                                            // it is darker in a bowl
        lamp *= 0.16 + 0.62 * Math.pow(r1, 2.4); shine *= 0.5;
      } else if (r1 < 1.3) lamp *= 1 - 0.25 * smooth(1.3, 1.02, r1);
      // the lamp hangs over the upper left of the board
      const far = Math.hypot(i / W - 0.3, (j / H - 0.2) * 0.8);
      const pool = 1.12 - 0.62 * smooth(0, 0.95, far);
      px4[at * 4] = 255 * encode((wr * lamp + shine) * pool);
      px4[at * 4 + 1] = 255 * encode((wg * lamp + shine * 0.86) * pool);
      px4[at * 4 + 2] = 255 * encode((wb * lamp + shine * 0.66) * pool);
      px4[at * 4 + 3] = 255 * solid[at];
    }
  }
  return { UNIT, W, H, dark, tone, solid, near, away, nx, ny, nz };
}

// The wood's colour, linear.
function wood(t) {
  return [0.03 + 0.265 * t, 0.0115 + 0.108 * t, 0.0055 + 0.041 * t];
}

// A bowl with white light in it: an opaque picture to be tinted and added, and where its corner goes.
export function bowl(plan, plank, p) {
  const { UNIT, W, H } = plank, reach = BOWL * 1.3, wide = reach + plan.trough;
  const x0 = Math.max(0, Math.floor((p.cx - wide) * UNIT)), x1 = Math.min(W, Math.ceil((p.cx + wide) * UNIT));
  const y0 = Math.max(0, Math.floor((p.cy - reach) * UNIT)), y1 = Math.min(H, Math.ceil((p.cy + reach) * UNIT));
  const image = new ImageData(x1 - x0, y1 - y0), data = image.data;
  for (let j = y0; j < y1; j++) {
    for (let i = x0; i < x1; i++) {
      const x = aside((i + 0.5) / UNIT - p.cx, plan.trough), y = (j + 0.5) / UNIT - p.cy, r = Math.hypot(x, y) / BOWL;
      const at = j * W + i, grain = 0.86 + 0.3 * plank.tone[at];
      let light = 0;
      if (r < 1.05) {
        // The LED shines through a disc of frosted resin that fills the bottom; the walls stand around it.
        const disc = 0.84 * Math.exp(-Math.pow(r / 0.62, 5)) + 0.16 * Math.exp(-Math.pow(r / 0.34, 2));
        const up = 0.13 + DEPTH * Math.pow(Math.min(r, 1), 2.4) * -1, len = Math.hypot(x, y, up);
        const facing = Math.max(0, (-plank.nx[at] * x - plank.ny[at] * y) + plank.nz[at] * up) / len;
        const wall = 0.85 * facing * Math.pow(0.22 / Math.max(len, 0.2), 1.5) * grain;
        light = (disc + (1 - disc) * (wall + 0.1 * grain)) * smooth(1.05, 0.97, r);
      }
      light += 0.24 * Math.exp(-Math.pow((r - 1.04) / 0.045, 2)) * (0.75 + 0.25 * plank.ny[at]) * grain;   // the lip
      light += 0.05 * smooth(1.3, 1, r);
      const o = ((j - y0) * (x1 - x0) + i - x0) * 4, value = 255 * encode(light);
      data[o] = value; data[o + 1] = value; data[o + 2] = value; data[o + 3] = 255;
    }
  }
  return { x: x0, y: y0, image };
}
