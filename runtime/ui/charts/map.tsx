/**
 * A map of the world, made on the server: the more a country has, the stronger its colour. Outlines are those of Natural
 * Earth (1:110 million, public domain, as `world-atlas` 2.0.2 has them), in the Equal Earth projection by `d3-geo`, rounded
 * to whole numbers; by ISO 3166 code, those without one under the empty text. Countries too small for it have none.
 */
import countries from './countries.json' with { type: 'json' }
import { shades } from './shades.ts'

const outlines: ReadonlyMap<string, string> = new Map(Object.entries(countries))
const [width, height] = [900, 422]

export interface MapValue {
  /** ISO 3166, two letters. */
  readonly country: string
  readonly value: number
  readonly says: string
  /** Where a click leads. The same link must be in a list next to the map, as the map cannot be used with a keyboard. */
  readonly href?: string | undefined
}

/** Screen readers get the label, and the figures from a list next to it. */
export function WorldMap({ label, values }: { label: string; values: readonly MapValue[] }) {
  // Visits of no known country are nowhere: the empty text belongs to outlines without a code.
  const found = new Map(values.filter(({ country, value }) => country !== '' && value > 0).map(value => [value.country, value]))
  // Few countries have most visitors: by the root the others are seen as well.
  const max = Math.sqrt(Math.max(1, ...values.map(({ value }) => value)))
  const shade = shades(max)
  const elsewhere = [...outlines].flatMap(([country, outline]) => (found.has(country) ? [] : [outline])).join('')
  return (
    <figure class="tipped">
      <p class="unseen">{label}</p>
      <svg class="map" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <path class="land" d={elsewhere} />
        {[...found.values()].map(({ country, value, says, href }) => {
          const outline = (
            <path class="heat" fill-opacity={shade(Math.sqrt(value))} d={outlines.get(country) ?? ''}>
              <title>{says}</title>
            </path>
          )
          return href === undefined ? (
            outline
          ) : (
            <a href={href} tabindex={-1}>
              {outline}
            </a>
          )
        })}
      </svg>
    </figure>
  )
}
