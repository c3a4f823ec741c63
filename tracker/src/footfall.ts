/** The tracker: `<script defer data-domain="example.com" src="https://HOST/js/footfall.js"></script>` */
import { byAttributes } from './footfall-mark.ts'
import { attempt } from './listen.ts'
import { aboutPeople } from './people.ts'
import { readSettings } from './settings.ts'
import { ownTag, start } from './start.ts'

const loadVitals = (src: string, nonce: string | undefined) => {
  const tag = document.createElement('script')
  if (nonce) tag.nonce = nonce // lets the page's Content-Security-Policy allow it
  tag.src = src
  document.head.appendChild(tag)
}

attempt(() => {
  const tag = ownTag()
  if (!tag) return
  const settings = readSettings(tag)
  start('footfall', settings, byAttributes, () => settings.vitals && loadVitals(settings.vitals, settings.nonce), aboutPeople(settings))
})
