/** The sign-up box for pages of affiliates: its code, and the script that it loads. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, record } from '../../../runtime/table/schema.ts'

export const themes = ['auto', 'light', 'dark'] as const
const count = (description: string) => Type.Integer({ unit: 'count', description })
const code = (description: string) => Nullable(Type.String(), { description })
const name = Type.String({ description: 'Its name.' })
const meaning = Type.String({ description: 'Its purpose.' })
const Attribute = record('SignupBoxAttribute', { name, description: meaning }, 'A name with its meaning.')
const BoxEvent = record('SignupBoxEvent', { name, detail: meaning }, 'A name with its meaning.')

export const SignupBox = record(
  'AffiliateSignupBox',
  {
    available: Type.Boolean({ description: 'False until the application is approved, and if sign-up is closed.' }),
    theme: OneOf(themes, { description: 'Theme of the code.' }),
    frame_url: code('Address of the box, for a plain iframe.'),
    script: code('Element and script to put into a page.'),
    iframe: code('The plain iframe.'),
    prefill_attributes: Type.Array(Attribute, {
      description: 'Attributes of the element that prefill the form for known visitors.',
    }),
    events: Type.Array(BoxEvent, { description: 'Events of the element.' }),
    waiting: count('Sign-ups whose mailed link has not been opened.'),
    signups: count('Confirmed sign-ups through the box.'),
    customers: count('Sign-ups that became paying customers.'),
  },
  'A box for other pages in which people sign up.',
)

export const prefillAttributes = [
  { name: 'data-email', description: 'E-mail address of the visitor.' },
  { name: 'data-name', description: 'Name of the visitor.' },
]
export const boxEvents = [
  { name: 'footfall:ready', detail: 'The form is there. No detail.' },
  { name: 'footfall:submitted', detail: 'A link is being mailed. No detail.' },
  { name: 'footfall:error', detail: 'The error is in event.detail.message.' },
]

/** @param affiliateCode only letters and digits */
export function embedding(baseUrl: string, affiliateCode: string, theme: string) {
  const frame = `${baseUrl}/sign-up?code=${affiliateCode}&via=box&embed=1&theme=${theme}`
  return {
    frame_url: frame,
    script: `<footfall-signup data-code="${affiliateCode}" data-theme="${theme}"></footfall-signup>\n<script async src="${baseUrl}/signup-box.js"></script>`,
    iframe: `<iframe src="${frame.replaceAll('&', '&amp;')}" title="Sign up" style="width:100%;max-width:28rem;height:24rem;border:0"></iframe>`,
  }
}

/** Plain JavaScript for pages of others: a custom element with the form in a frame. It reads only its own attributes. */
export const boxScript = (baseUrl: string): string => `(() => {
  const base = ${JSON.stringify(baseUrl)}
  const origin = new URL(base).origin
  if (customElements.get('footfall-signup')) return
  customElements.define('footfall-signup', class extends HTMLElement {
    connectedCallback() {
      if (this.frame) return
      const { code = '', theme = 'auto', email = '', name = '' } = this.dataset
      const query = new URLSearchParams({ code, via: 'box', embed: '1', theme })
      // The visitor's data goes into the fragment (#), which browsers do not send to servers.
      const known = new URLSearchParams({ ...(email && { email }), ...(name && { name }) })
      const frame = document.createElement('iframe')
      frame.src = base + '/sign-up?' + query + (known.size ? '#' + known : '')
      frame.title = 'Sign up'
      frame.style.cssText = 'display:block;width:100%;max-width:28rem;height:22rem;border:0'
      this.listen = event => {
        if (event.source !== frame.contentWindow || event.origin !== origin) return
        const { type, height, message } = event.data || {}
        if (type === 'footfall:height') frame.style.height = height + 'px'
        else if (type === 'footfall:ready' || type === 'footfall:submitted' || type === 'footfall:error')
          this.dispatchEvent(new CustomEvent(type, { bubbles: true, detail: message === undefined ? null : { message } }))
      }
      addEventListener('message', this.listen)
      this.frame = frame
      this.append(frame)
    }
    disconnectedCallback() {
      removeEventListener('message', this.listen)
      this.frame.remove()
      this.frame = undefined
    }
  })
})()
`
