/** Sends the height of this page to the page that frames it, so that the frame needs no scroll bar. */
const tell = () => {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  if (height > 0) parent.postMessage({ type: 'footfall:height', height }, '*')
}
if (parent !== window) {
  new ResizeObserver(tell).observe(document.body)
  tell()
}
