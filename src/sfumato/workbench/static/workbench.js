"use strict";
// Everything works as plain forms; this only makes it smoother.
const parsed = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");
const at = (id) => id && document.getElementById(id);
const file = () => at("file");
async function send(form) {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  const page = await parsed(answer), focus = document.activeElement && document.activeElement.id, top = window.scrollY;
  const open = [...document.querySelectorAll("details[open][id]")].map((each) => each.id);
  const same = new URL(answer.url).pathname === location.pathname;
  document.body.replaceWith(page.body);
  document.title = page.title;
  history.replaceState(null, "", answer.url);
  open.forEach((id) => { if (at(id)) at(id).open = true; });
  window.scrollTo(0, same ? top : 0);
  (at(focus) || at("main")).focus({ preventScroll: true });
  wait();
}
async function look() {
  const answer = await fetch(location.href), page = await parsed(answer);
  if (new URL(answer.url).pathname !== location.pathname) { location.assign(answer.url); return; }
  for (const old of document.querySelectorAll("[data-waiting]")) {
    const part = page.getElementById(old.id) ? old : old.closest("[id]:not([data-waiting])");
    const made = part && page.getElementById(part.id), focus = document.activeElement && document.activeElement.id;
    if (!made || part.id === "main") { location.reload(); return; }
    part.replaceWith(made);
    if (at(focus)) at(focus).focus({ preventScroll: true });
  }
  wait();
}
function wait() { if (document.querySelector("[data-waiting]")) setTimeout(look, 400); }
function opened() {
  const drop = document.querySelector(".drop"), state = drop.querySelector(".state"), chosen = file().files[0];
  if (chosen && chosen.size > Number(drop.dataset.most)) { state.textContent = state.dataset.large; return; }
  if (chosen) { state.textContent = chosen.name + " …"; file().form.submit(); }
}
document.addEventListener("change", (event) => {
  const live = event.target.closest("form[data-live]");
  if (live) send(live); else if (event.target === file()) opened();
});
for (const what of ["dragover", "dragleave", "drop"]) document.addEventListener(what, (event) => {
  const drop = event.target.closest && event.target.closest(".drop");
  if (!drop) return;
  event.preventDefault();
  drop.classList.toggle("over", what === "dragover");
  if (what === "drop" && event.dataTransfer.files.length) { file().files = event.dataTransfer.files; opened(); }
});
wait();
