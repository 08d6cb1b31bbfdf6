// Choosing or dropping a notebook: tells at once what the server would refuse by size, and what went wrong on the way.
const form = document.querySelector("form[data-upload]");
const area = form.querySelector("[data-drop]");
const input = form.querySelector("input[type=file]");
const fault = form.querySelector("[data-fault]");
const most = Number(input.dataset.maxBytes);

function mebibytes(bytes) {
  return (bytes / 1024 ** 2).toLocaleString(undefined, { maximumFractionDigits: 1 });
}

function say(sentence) {
  fault.textContent = sentence;
  input.setAttribute("aria-invalid", String(sentence !== ""));
}

function fits() {
  const file = input.files[0];
  if (!file || file.size <= most) return true;
  const allowed = `${mebibytes(most)} MiB ${most === 1024 ** 2 ? "is" : "are"} allowed`;
  say(`${file.name} has ${mebibytes(file.size)} MiB; ${allowed}. Clear large outputs and save it again.`);
  return false;
}

form.querySelector("[data-drop-hint]").hidden = false;

input.addEventListener("change", () => {
  say("");
  fits();
});

form.addEventListener("htmx:configRequest", (event) => {
  if (!fits()) event.preventDefault();
});
form.addEventListener("htmx:afterSwap", () => say(fault.textContent.trim()));
form.addEventListener("htmx:sendError", () => say("The notebook did not arrive. Check your connection and submit it again."));
form.addEventListener("htmx:responseError", () => say("The server could not take the notebook. Submit it again in a minute."));

for (const type of ["dragenter", "dragover"]) {
  area.addEventListener(type, (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
}
for (const type of ["dragleave", "drop"]) {
  area.addEventListener(type, (event) => {
    if (type === "dragleave" && area.contains(event.relatedTarget)) return;
    area.classList.remove("over");
  });
}
area.addEventListener("drop", (event) => {
  event.preventDefault();
  const files = event.dataTransfer.files;
  if (files.length !== 1) {
    say("Drop one notebook, please.");
    return;
  }
  input.files = files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  input.focus();
});
