import { attributesOf, type Mark } from './interactions.ts'

/** `data-footfall-event="Signup" data-footfall-prop-plan="pro"` */
export const byAttributes: Mark = element => {
  const name = element.getAttribute('data-footfall-event')
  if (name === null) return
  return [name, { props: attributesOf(element, 'data-footfall-prop-'), revenue: attributesOf(element, 'data-footfall-revenue-') }]
}
