/** Icons, and the marks next to names of sources, browsers, systems, devices and countries. */
import type { IconName } from '../../table/icons.ts'
import { marks } from './marks.ts'
import { flagPath } from './flags.ts'
import { sprite } from './sprite.ts'

/** An icon next to words, which say what it means: it is hidden from screen readers. */
export const Icon = ({ name, size }: { name: IconName; size?: 'small' | 'large' | undefined }) => (
  <svg class={size === undefined ? 'i' : `i ${size}`} aria-hidden="true">
    <use href={`${sprite().path}#${name}`} />
  </svg>
)

const LETTER_COLOURS = 8
/** How values of a dimension are marked: each value with its own mark, flag or device, or all values with one icon. */
const marking: Readonly<Record<string, IconName | 'mark' | 'flag' | 'device'>> = {
  source: 'mark',
  referrer: 'mark',
  browser: 'mark',
  os: 'mark',
  country: 'flag',
  device: 'device',
  page: 'page',
  entry_page: 'page',
  exit_page: 'page',
  goal: 'goal',
  event: 'event',
  utm_campaign: 'campaign',
}
const deviceIcons: Readonly<Record<string, IconName>> = {
  desktop: 'desktop',
  laptop: 'laptop',
  mobile: 'phone',
  tablet: 'tablet',
  tv: 'tv',
}

/** Whether values of a dimension are shown with a mark. */
export const hasMarks = (dimension: string): boolean => Object.hasOwn(marking, dimension)

/** The mark of a value of a dimension. @param label its English name or, if it has none, the value */
export function Mark({ dimension, value, label }: { dimension: string; value: string; label: string }) {
  const kind = marking[dimension]
  if (kind === undefined) return null
  if (kind === 'flag') {
    const path = flagPath(value)
    return path === undefined ? <Icon name="globe" /> : <img class="flag" src={path} width={18} height={12} alt="" loading="lazy" />
  }
  if (kind === 'device') return <Icon name={deviceIcons[value.toLowerCase()] ?? 'desktop'} />
  if (kind !== 'mark') return <Icon name={kind} />
  if (value === '' || value === '(direct)' || value === '(none)') return <Icon name="next" />
  const mark = marks[label.toLowerCase()] ?? marks[value.toLowerCase()] ?? marks[siteName(value)]
  if (!mark) return <Letter text={label} />
  const [name, colour] = mark
  return (
    <svg class="mark" aria-hidden="true" color={colour}>
      <use href={`/assets/marks/${name}.svg#mark`} />
    </svg>
  )
}

/** `www.google.co.uk/search` → `google` */
function siteName(value: string): string {
  const [host = ''] = value.toLowerCase().split('/')
  const parts = host.split('.')
  return parts.at(parts.length > 2 && (parts.at(-2)?.length ?? 0) <= 3 ? -3 : -2) ?? host
}

/** The first letter of a name on a colour that follows from the name. */
export function Letter({ text, size }: { text: string; size?: 'large' | 'round' | undefined }) {
  const [letter = '?'] = text.replace(/^(https?:\/\/)?(www\.)?/, '').toUpperCase()
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return (
    <span class={`letter colour${sum % LETTER_COLOURS}${size === undefined ? '' : ` ${size}`}`} aria-hidden="true">
      {letter}
    </span>
  )
}

/** The product's mark: two steps of a foot. */
export const Logo = ({ size }: { size?: 'large' | undefined }) => (
  <svg class={size === undefined ? 'logo' : 'logo large'} viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="7" />
    <ellipse class="step" cx="9" cy="14.6" rx="2.6" ry="3.9" />
    <ellipse class="step ahead" cx="15.2" cy="9" rx="2.6" ry="3.9" />
  </svg>
)
