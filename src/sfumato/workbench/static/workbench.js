"use strict";
// Everything works as plain forms; this only makes it smoother.
const at = (id) => id && document.getElementById(id);
const read = async (answer) => [new URL(answer.url), new DOMParser().parseFromString(await answer.text(), "text/html")];
// What has the focus: by its id, or by its place among all that can have it.
const CAN = "a[href], button, input, select, textarea, summary, [tabindex]";
const all = () => [...document.querySelectorAll(CAN)].filter((each) => !each.closest("noscript"));
const here = () => [document.activeElement.id, all().indexOf(document.activeElement)];
const back = ([id, place]) => at(id) || all()[place];
const typing = (field) => field.matches("textarea, input") && field.type !== "radio" && field.type !== "checkbox"
  && field.value !== field.defaultValue;
function swap(old, made) {  // what is open stays open, and the focus where it was
  const focus = here(), held = old.contains(document.activeElement);
  const open = [...old.querySelectorAll("details[open][id]")].map((each) => each.id);
  old.replaceWith(made);
  open.forEach((id) => { if (at(id)) at(id).open = true; });
  if (held) (back(focus) || at("main")).focus({ preventScroll: true });
}
function whole(page, top) {  // never asked for again: what went wrong is told once
  swap(document.body, page.body);
  document.title = page.title;
  window.scrollTo(0, top);
  wait();
}
let sends = 0, timer = 0, before = Promise.resolve();
function send(form) {  // one after the other, as they were meant; of several that wait, the last one of a form
  const mine = form.dataset.send = String(++sends), body = new URLSearchParams(new FormData(form));
  document.documentElement.dataset.sending = "";
  before = before.then(() => form.dataset.send === mine && answered(form, body, Number(mine))).catch(() => {});
}
async function answered(form, body, mine) {
  const [url, page] = await read(await fetch(form.action, { method: "POST", body }));
  if (mine !== sends) return;  // a later one answers for both
  delete document.documentElement.dataset.sending;
  if (url.pathname === location.pathname && typing(document.activeElement)) { form.dataset.stale = ""; return; }
  const top = url.pathname === location.pathname ? window.scrollY : 0;
  history.replaceState(null, "", url);
  whole(page, top);
}
async function look() {
  const mine = sends, [url, page] = await read(await fetch(location.href));
  if (mine !== sends) { wait(); return; }
  if (url.pathname !== location.pathname) { location.assign(url); return; }
  for (const old of document.querySelectorAll("[data-waiting]")) {
    if (!old.isConnected) continue;
    const part = page.getElementById(old.id) ? old : old.closest("[id]:not([data-waiting])");
    if (!part || part.id === "main" || !page.getElementById(part.id)) { whole(page, 0); return; }
    swap(part, page.getElementById(part.id));
  }
  wait();
}
function wait() {
  clearTimeout(timer);
  if (document.querySelector("[data-waiting]")) timer = setTimeout(look, 400);
}
function opened(file) {
  const drop = file.closest(".drop"), state = drop.querySelector(".state"), chosen = file.files[0];
  if (chosen && chosen.size > Number(drop.dataset.most)) state.textContent = state.dataset.large;
  else if (chosen) { state.textContent = chosen.name + " …"; file.form.submit(); }
}
document.addEventListener("change", (event) => {
  const field = event.target, live = field.closest("form[data-live]"), option = field.closest(".option");
  if (option && field.type !== "radio") option.querySelector("input[type=radio]").checked = true;
  if (live) send(live); else if (field.id === "file") opened(field);
});
document.addEventListener("focusout", (event) => {  // what was typed and taken back; what was changed is sent by itself
  const form = event.target.form;
  if (form && "stale" in form.dataset && document.contains(form)) send(form);
});
for (const what of ["dragover", "dragleave", "drop"]) document.addEventListener(what, (event) => {
  const drop = event.target.closest && event.target.closest(".drop"), files = event.dataTransfer.files;
  if (!drop) return;
  event.preventDefault();
  drop.classList.toggle("over", what === "dragover");
  if (what === "drop" && files.length) { at("file").files = files; opened(at("file")); }
});
wait();
