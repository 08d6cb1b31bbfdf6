// Times are served in UTC. Here they become the reader's own, with UTC kept in the tooltip.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function localize(root) {
  for (const time of root.querySelectorAll("time[data-local]")) {
    time.title = time.textContent.trim();
    time.textContent = format.format(new Date(time.dateTime));
    time.removeAttribute("data-local");
  }
}

localize(document);
document.addEventListener("htmx:afterSwap", (event) => localize(event.target.parentElement ?? document));
