// Browsers start no Worker from a file, so a page that is opened as a file searches in a hidden
// frame, which has a worker's functions: postMessage to the page, and importScripts.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = (this.inner = frame.contentWindow);
      inner.postMessage = (data) => {
        this.dispatchEvent(new MessageEvent("message", { data }));
      };
      inner.importScripts = (...urls) =>
        urls.reduce((before, one) => before.then(() => load(inner, one)), Promise.resolve());
      load(inner, url).then(() => {
        this.isReady = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
    }

    postMessage(data) {
      if (!this.isReady) {
        this.waiting.push(data);
      } else {
        this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data }));
      }
    }
  };
}

function load(inner, url) {
  return new Promise((done, failed) => {
    const script = inner.document.createElement("script");
    script.src = url;
    script.onload = done;
    script.onerror = failed;
    inner.document.body.append(script);
  });
}
