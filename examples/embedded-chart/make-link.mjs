// Writes a page that shows the reports of a site: FOOTFALL=… TOKEN=… SITE=… ORIGIN=http://127.0.0.1:3001 node make-link.mjs
import fs from 'node:fs'

const { FOOTFALL = 'http://127.0.0.1:8080', TOKEN, SITE, ORIGIN = 'http://127.0.0.1:3001' } = process.env
const made = await fetch(`${FOOTFALL}/sites/${SITE}/shared_links`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', Accept: 'application/json' },
  body: JSON.stringify({ name: 'Embedded chart', embed_origins: [ORIGIN] }),
})
if (!made.ok) throw new Error(await made.text())
const { embed_code } = (await made.json()).data
fs.writeFileSync(
  'index.html',
  `<!doctype html>\n<meta charset="utf-8">\n<title>Our visitors</title>\n<h1>Our visitors</h1>\n${embed_code}\n`,
)
console.log('Serve index.html at', ORIGIN, '— for example: python3 -m http.server 3001')
