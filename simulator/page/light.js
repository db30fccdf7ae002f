// The light in the holes, from the bytes on the strip.

import { bowl, carve, encode } from "./wood.js";

// A dim room, and an eye that is used to it: not quite half of full drive is as bright as the display can be, and what is dim is lifted
// (the colour's strongest channel by this power, the others with it, so that no hue changes).
const EXPOSURE = 2.2;
const LIFT = 0.6;
const SOFT = 24;            // pixels from hole to hole where only soft light is drawn

function surface(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

// An LED's drive, 0-255 a channel, is linear light. What the eye makes of it, as numbers for the display.
export function seen(r, g, b) {
  const most = (Math.max(r, g, b) / 255) * EXPOSURE;
  if (!most) return [0, 0, 0];
  const lifted = Math.pow(most, LIFT);
  const shown = lifted < 0.7 ? lifted : 0.7 + 0.3 * (1 - Math.exp((0.7 - lifted) / 0.3));   // a soft shoulder
  const dazzle = 0.02 * shown;          // some of every light looks white, however deep its colour
  return [r, g, b].map((x) => Math.round(255 * encode((x / 255) * EXPOSURE * (shown / most) + dazzle)));
}

// Three canvases on top of each other, joined by the style sheet:
// wood   the board in the dark, drawn once
// spill  what falls on the wood around the holes; color-dodge brightens the wood by it, so that the grain stands out
// bowls  the lit bowls themselves; screen
export class Scene {
  constructor(canvases) {
    Object.assign(this, canvases);
    this.unit = 0;
    this.holes = [];
  }

  build(plan, unit) {
    const plank = carve(plan, unit);
    this.unit = unit;
    this.plan = plan;
    this.wood.width = this.bowls.width = plank.W;
    this.wood.height = this.bowls.height = plank.H;
    this.spill.width = Math.round(plan.width * SOFT);
    this.spill.height = Math.round(plan.height * SOFT);
    this.wood.getContext("2d").putImageData(plank.dark, 0, 0);
    this.context = this.bowls.getContext("2d", { alpha: false });
    this.soft = this.spill.getContext("2d", { alpha: false });
    this.holes = plan.place.map((p) => {
      const { x, y, image } = bowl(plan, plank, p);
      const white = surface(image.width, image.height);
      white.getContext("2d").putImageData(image, 0, 0);
      return { x, y, cx: p.cx, cy: p.cy, white, color: "0 0 0" };
    });
    this.context.fillStyle = "#000";
    this.context.fillRect(0, 0, plank.W, plank.H);
    this.draw([]);
  }

  // colors[hole]: [r, g, b] as driven, or undefined for a hole whose light has no power.
  draw(colors) {
    const { soft, holes } = this;
    holes.forEach((hole, index) => {
      const [r, g, b] = colors[index] || [0, 0, 0];
      hole.seen = r | g | b ? seen(r, g, b) : [0, 0, 0];
      const color = hole.seen.join(" ");
      if (color === hole.color) return;
      hole.color = color;
      this.fill(hole);
    });

    soft.globalCompositeOperation = "source-over";
    soft.fillStyle = "#000";
    soft.fillRect(0, 0, this.spill.width, this.spill.height);
    soft.globalCompositeOperation = "lighter";
    for (const hole of holes) {
      if (hole.color === "0 0 0") continue;
      const x = hole.cx * SOFT, y = hole.cy * SOFT, reach = 1.7 * SOFT, inner = this.plan.bowl * SOFT;
      const glow = soft.createRadialGradient(0, 0, inner * 0.8, 0, 0, reach), stretch = 1 + this.plan.trough * SOFT / reach;
      for (const [at, alpha] of [[0, 0.36], [0.12, 0.26], [0.3, 0.135], [0.55, 0.05], [0.8, 0.012], [1, 0]]) {
        glow.addColorStop(at, `rgb(${hole.color} / ${alpha})`);
      }
      soft.setTransform(stretch, 0, 0, 1, x, y);
      soft.fillStyle = glow;
      soft.fillRect(-reach, -reach, 2 * reach, 2 * reach);
      soft.resetTransform();
    }
    // Next to none of the light gets into another bowl: an empty hole stays dark.
    soft.globalCompositeOperation = "source-over";
    soft.fillStyle = "rgb(0 0 0 / 0.85)";
    for (const hole of holes) {
      soft.beginPath();
      const round = this.plan.bowl * SOFT * 0.96, wide = round + this.plan.trough * SOFT;
      soft.roundRect(hole.cx * SOFT - wide, hole.cy * SOFT - round, 2 * wide, 2 * round, round);
      soft.fill();
    }
  }

  // Draws one bowl anew, in its colour.
  fill(hole) {
    const { context } = this, { width, height } = hole.white;
    context.globalCompositeOperation = "source-over";
    context.drawImage(hole.white, hole.x, hole.y);
    context.globalCompositeOperation = "multiply";
    context.fillStyle = `rgb(${hole.color})`;
    context.fillRect(hole.x, hole.y, width, height);
    const strength = Math.max(...hole.seen) / 255;
    if (strength > 0.3) {
      // The heart of a strong light is nearly white.
      const x = hole.x + width / 2, y = hole.y + height / 2, reach = this.plan.bowl * this.unit * 0.5;
      const stretch = 1 + this.plan.trough / this.plan.bowl;
      const heart = context.createRadialGradient(0, 0, 0, 0, 0, reach), alpha = (strength - 0.3) * 0.62;
      heart.addColorStop(0, `rgb(255 250 240 / ${alpha})`);
      heart.addColorStop(0.4, `rgb(255 250 240 / ${alpha * 0.5})`);
      heart.addColorStop(1, "rgb(255 250 240 / 0)");
      context.globalCompositeOperation = "screen";
      context.setTransform(stretch, 0, 0, 1, x, y);
      context.fillStyle = heart;
      context.fillRect(-reach, -reach, 2 * reach, 2 * reach);
      context.resetTransform();
    }
  }
}
