// Plays a motion in space: `motion` is the data, `three` and `controls` are libraries in base64.

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function asModule(text) {
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

function floats(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

const COUNT = motion.times.length;
const END = motion.times[COUNT - 1];
const isDark = matchMedia("(prefers-color-scheme: dark)");
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// ---------------------------------------------------------------- the instant that is shown

const slider = document.querySelector("input");
const clock = document.querySelector("output");
const button = document.querySelector("button");
const pace = document.querySelector("select");
const listeners = [];
const DIGITS = Math.max(2, 2 - Math.floor(Math.log10(END - motion.times[0] || 1)));
let now = 0;
let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;

function place(time) {
  let low = 0;
  let high = COUNT - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (motion.times[middle] <= time) low = middle;
    else high = middle;
  }
  return time >= END ? COUNT - 1 : low;
}

function show(time) {
  now = time;
  slider.value = time;
  clock.textContent = `${time.toFixed(DIGITS)} s`;
  const instant = place(time);
  for (const listener of listeners) listener(instant, time);
}

function play(on) {
  playing = on;
  button.textContent = on ? "Pause" : "Play";
}

slider.min = motion.times[0];
slider.max = END;
slider.step = (END - motion.times[0]) / 1000 || 1;
slider.addEventListener("input", () => { play(false); show(Number(slider.value)); });
button.addEventListener("click", () => play(!playing));
document.addEventListener("keydown", (event) => {
  if (event.key === " " && event.target.tagName !== "BUTTON" && event.target.tagName !== "SELECT") {
    event.preventDefault();
    play(!playing);
  }
});

let before = null;
function tick(stamp) {
  if (playing && before !== null) {
    const next = now + ((stamp - before) / 1000) * Number(pace.value);
    show(next > END ? motion.times[0] : next);
  }
  before = stamp;
  requestAnimationFrame(tick);
}

// ---------------------------------------------------------------- plots

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 400;
const HIGH = 110;
const LEFT = 46;
const BOTTOM = 16;

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function plot(panel) {
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  const title = document.createElement("b");
  title.textContent = panel.unit ? `${panel.title} [${panel.unit}]` : panel.title;
  caption.append(title);
  const series = panel.series.map((one) => ({ ...one, values: floats(one.values) }));
  let low = Infinity;
  let high = -Infinity;
  for (const one of series) {
    const name = document.createElement("span");
    const mark = document.createElement("i");
    mark.style.background = one.color;
    name.append(mark, one.name);
    caption.append(name);
    for (const value of one.values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const least = Math.max(1e-9, 1e-6 * Math.max(Math.abs(low), Math.abs(high)));
  if (high - low < least) { low -= 1; high += 1; }
  const border = 0.06 * (high - low);
  low -= border;
  high += border;
  const x = (time) => LEFT + ((time - motion.times[0]) / (END - motion.times[0] || 1)) * (WIDE - LEFT - 4);
  const y = (value) => 4 + (1 - (value - low) / (high - low)) * (HIGH - BOTTOM - 4);
  figure.append(caption);
  const svg = element("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" }, figure);
  for (const tickAt of ticks(low, high)) {
    element("line", { x1: LEFT, x2: WIDE - 4, y1: y(tickAt.value), y2: y(tickAt.value), stroke: "var(--line)" }, svg);
    element("text", { x: LEFT - 5, y: y(tickAt.value) + 3, "text-anchor": "end" }, svg).textContent = tickAt.text;
  }
  for (const tickAt of ticks(motion.times[0], END)) {
    const anchor = x(tickAt.value) > WIDE - 12 ? "end" : "middle";
    element("text", { x: x(tickAt.value), y: HIGH - 3, "text-anchor": anchor }, svg).textContent = tickAt.text;
  }
  for (const one of series) {
    const step = Math.max(1, Math.floor(COUNT / 1500));
    let path = "";
    for (let i = 0; i < COUNT; i += step) path += `${i ? "L" : "M"}${x(motion.times[i]).toFixed(1)} ${y(one.values[i]).toFixed(1)}`;
    element("path", { d: path, fill: "none", stroke: one.color, "stroke-width": 1.5, "vector-effect": "non-scaling-stroke" }, svg);
  }
  const cursor = element("line", { y1: 0, y2: HIGH - BOTTOM, stroke: "var(--ink)", "stroke-width": 1, "vector-effect": "non-scaling-stroke" }, svg);
  listeners.push((_, time) => { cursor.setAttribute("x1", x(time)); cursor.setAttribute("x2", x(time)); });
  const seek = (event) => {
    const box = svg.getBoundingClientRect();
    const part = ((event.clientX - box.left) / box.width * WIDE - LEFT) / (WIDE - LEFT - 4);
    play(false);
    show(motion.times[0] + Math.min(1, Math.max(0, part)) * (END - motion.times[0]));
  };
  svg.addEventListener("pointerdown", (event) => { svg.setPointerCapture(event.pointerId); seek(event); });
  svg.addEventListener("pointermove", (event) => { if (event.buttons) seek(event); });
  document.querySelector("#plots").append(figure);
}

function ticks(low, high) {
  const raw = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    found.push({ value, text: digits > 5 ? value.toExponential(1) : value.toFixed(digits) });
  }
  return found;
}

// ---------------------------------------------------------------- space

async function space() {
  const url = asModule(await unpacked(three));
  const THREE = await import(url);
  const text = (await unpacked(controls)).replace(/from 'three'/, `from '${url}'`);
  const { OrbitControls } = await import(asModule(text));
  const holder = document.querySelector("#space");
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  holder.replaceChildren(renderer.domElement);
  const scene = new THREE.Scene();
  const vector = (parts) => new THREE.Vector3(...parts);
  const [low, high, up, towards] = [motion.low, motion.high, motion.up, motion.towards].map(vector);
  const middle = low.clone().add(high).multiplyScalar(0.5);
  const reach = Math.max(high.distanceTo(low) / 2, 1e-3);
  const camera = new THREE.PerspectiveCamera(28, 1, reach / 50, reach * 200);
  camera.up.copy(up);
  const orbit = new OrbitControls(camera, renderer.domElement);
  orbit.target.copy(middle);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x8d8d99, 1.9));
  const lamp = new THREE.DirectionalLight(0xffffff, 2.2);
  scene.add(lamp);
  const material = (color, more = {}) => new THREE.MeshStandardMaterial({ color, roughness: 0.55, metalness: 0, ...more });
  const frames = motion.frames.map(floats);
  const groups = frames.map(() => { const made = new THREE.Group(); scene.add(made); return made; });

  for (const solid of motion.solids) {
    const [a, b, c] = solid.half;
    let shape;
    if (solid.kind === "box") shape = new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
    else if (solid.kind === "cylinder") shape = new THREE.CylinderGeometry(a, a, 2 * c, 64).rotateX(Math.PI / 2);
    else if (solid.kind === "capsule") shape = new THREE.CapsuleGeometry(b, 2 * a, 12, 32).rotateZ(Math.PI / 2);
    else if (solid.kind === "line") shape = new THREE.CylinderGeometry(motion.size * 0.006, motion.size * 0.006, 2 * a, 16).rotateZ(Math.PI / 2);
    else { shape = new THREE.SphereGeometry(1, 48, 32); shape.scale(a, b, c); }
    const mesh = new THREE.Mesh(shape, material(solid.color));
    mesh.position.fromArray(solid.center);
    mesh.quaternion.fromArray(solid.turn);
    groups[solid.frame].add(mesh);
    if (solid.kind === "cylinder") {
      const spoke = new THREE.Mesh(new THREE.BoxGeometry(2 * a * 0.98, a * 0.08, 2.06 * c), material("#ffffff"));
      mesh.add(spoke);
    }
  }
  for (const mark of motion.marks) {
    const size = motion.size * 0.016;
    const shape = mark.kind === "pin" ? new THREE.CylinderGeometry(size, size, 6 * size, 24).rotateX(Math.PI / 2) : new THREE.SphereGeometry(1.4 * size, 24, 16);
    const mesh = new THREE.Mesh(shape, material(0x33343a));
    mesh.position.fromArray(mark.at);
    if (mark.kind === "pin") mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), vector(mark.axis).normalize());
    groups[mark.frame].add(mesh);
  }

  const links = motion.links.map((link) => {
    const points = floats(link.points);
    const color = { muscle: 0xb3261e, spring: 0x6b6b70, damper: 0x6b6b70, rail: 0x33343a }[link.kind];
    const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material(color));
    scene.add(mesh);
    return { ...link, points, mesh, tension: link.tension ? floats(link.tension) : null };
  });

  function way(link, instant) {
    const found = [];
    for (let k = 0; k < link.count; k += 1) {
      const at = 3 * (instant * link.count + k);
      const point = new THREE.Vector3(link.points[at], link.points[at + 1], link.points[at + 2]);
      if (!found.length || found[found.length - 1].distanceTo(point) > 1e-6) found.push(point);
    }
    return found;
  }

  function coiled(points) {
    const [start, end] = [points[0], points[points.length - 1]];
    const along = end.clone().sub(start);
    const first = new THREE.Vector3(1, 0, 0).applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.clone().normalize()));
    const second = along.clone().normalize().cross(first);
    const radius = motion.size * 0.035;
    const found = [start];
    for (let k = 0; k <= 160; k += 1) {
      const angle = (k / 160) * 20 * Math.PI;
      found.push(start.clone().addScaledVector(along, 0.12 + 0.76 * k / 160).addScaledVector(first, radius * Math.cos(angle)).addScaledVector(second, radius * Math.sin(angle)));
    }
    return [...found, end];
  }

  function drawLink(link, instant) {
    let points = way(link, instant);
    link.mesh.visible = points.length > 1;
    if (!link.mesh.visible) return;
    if (link.kind === "spring") points = coiled(points);
    const path = new THREE.CurvePath();
    for (let k = 1; k < points.length; k += 1) path.add(new THREE.LineCurve3(points[k - 1], points[k]));
    const pull = link.tension ? Math.max(0, link.tension[instant]) : 0.4;
    const radius = motion.size * (link.kind === "muscle" ? 0.006 + 0.014 * pull : link.kind === "damper" ? 0.012 : 0.006);
    link.mesh.geometry.dispose();
    link.mesh.geometry = new THREE.TubeGeometry(path, Math.min(240, 12 * points.length), radius, 8);
    if (link.kind === "muscle") link.mesh.material.color.set(0xd9b8b4).lerp(new THREE.Color(0xb3261e), pull);
  }

  const trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x9a9a9a }));
  trail.geometry.setAttribute("position", new THREE.BufferAttribute(floats(motion.trail), 3));
  trail.frustumCulled = false;
  scene.add(trail);

  const grid = new THREE.GridHelper(4 * reach, 20, 0xffffff, 0xffffff);
  grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
  grid.position.copy(middle).addScaledVector(up, motion.floor - middle.dot(up));
  scene.add(grid);
  const axes = new THREE.AxesHelper(0.25 * reach);
  scene.add(axes);

  const one = new THREE.Quaternion();
  const other = new THREE.Quaternion();
  listeners.push((instant, time) => {
    const next = Math.min(instant + 1, COUNT - 1);
    const span = motion.times[next] - motion.times[instant];
    const part = span > 0 ? Math.min(1, Math.max(0, (time - motion.times[instant]) / span)) : 0;
    frames.forEach((frame, k) => {
      const [from, to] = [7 * instant, 7 * next];
      groups[k].position.set(...[0, 1, 2].map((i) => frame[from + i] + part * (frame[to + i] - frame[from + i])));
      groups[k].quaternion.slerpQuaternions(one.fromArray(frame, from + 3), other.fromArray(frame, to + 3), part);
    });
    for (const link of links) drawLink(link, part < 0.5 ? instant : next);
    trail.geometry.setDrawRange(0, instant + 1);
  });

  function colored() {
    scene.background = new THREE.Color(style("--paper"));
    grid.material.color.set(style("--line"));
  }
  function sized() {
    const { clientWidth: wide, clientHeight: high } = holder;
    if (!wide || !high) return;
    renderer.setSize(wide, high);
    camera.aspect = wide / high;
    camera.updateProjectionMatrix();
  }
  function start() {
    sized();
    const angle = (camera.fov * Math.PI) / 360;
    const far = reach / Math.sin(Math.min(angle, Math.atan(Math.tan(angle) * camera.aspect)));
    camera.position.copy(middle).addScaledVector(towards, 1.02 * far);
    orbit.update();
  }
  colored();
  start();
  isDark.addEventListener("change", colored);
  new ResizeObserver(sized).observe(holder);
  renderer.domElement.addEventListener("dblclick", start);
  renderer.setAnimationLoop(() => {
    lamp.position.copy(camera.position).addScaledVector(up, reach);
    orbit.update();
    renderer.render(scene, camera);
  });
}

motion.panels.forEach(plot);
space().catch((error) => {
  document.querySelector("#space").innerHTML = "<p>This browser does not draw in space (WebGL).</p>";
  console.error(error);
}).then(() => { show(motion.times[0]); play(playing); requestAnimationFrame(tick); });
