"use strict";
// Everything works as plain forms; this only makes it smoother.
const at = (id) => id && document.getElementById(id);
const read = async (answer) => [new URL(answer.url), new DOMParser().parseFromString(await answer.text(), "text/html")];
const here = () => document.activeElement && document.activeElement.id;
async function send(form) {
  const [url, page] = await read(await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) }));
  const focus = here(), top = url.pathname === location.pathname ? window.scrollY : 0;
  const open = [...document.querySelectorAll("details[open][id]")].map((each) => each.id);
  document.body.replaceWith(page.body);
  document.title = page.title;
  history.replaceState(null, "", url);
  open.forEach((id) => { if (at(id)) at(id).open = true; });
  window.scrollTo(0, top);
  (at(focus) || at("main")).focus({ preventScroll: true });
  wait();
}
async function look() {
  const [url, page] = await read(await fetch(location.href));
  if (url.pathname !== location.pathname) { location.assign(url); return; }
  for (const old of document.querySelectorAll("[data-waiting]")) {
    const part = page.getElementById(old.id) ? old : old.closest("[id]:not([data-waiting])"), focus = here();
    if (!part || part.id === "main" || !page.getElementById(part.id)) { location.reload(); return; }
    part.replaceWith(page.getElementById(part.id));
    if (at(focus)) at(focus).focus({ preventScroll: true });
  }
  wait();
}
function wait() { if (document.querySelector("[data-waiting]")) setTimeout(look, 400); }
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
for (const what of ["dragover", "dragleave", "drop"]) document.addEventListener(what, (event) => {
  const drop = event.target.closest && event.target.closest(".drop"), files = event.dataTransfer.files;
  if (!drop) return;
  event.preventDefault();
  drop.classList.toggle("over", what === "dragover");
  if (what === "drop" && files.length) { at("file").files = files; opened(at("file")); }
});
wait();
