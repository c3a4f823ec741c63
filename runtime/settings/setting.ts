/** A setting: an environment variable, its values and its meaning. Each area declares its own. */
import { isIP } from 'node:net'

export interface Setting<T = unknown> {
  readonly default: string
  readonly description: string
  /** The value; undefined if the text is invalid. @throws SettingFault to say what is wrong with a file that it names */
  parse(text: string): T | undefined
  /** The accepted values, for the error message. */
  readonly wants: string
}

/** The fault of a setting's value, in words that may be shown. */
export class SettingFault extends Error {}

/**
 * Declares a setting. Its name in the area is the environment variable; read it with `config.of(COLOURS_MAX)`.
 *
 * @example
 * const COLOURS_MAX = setting({ default: '16', description: 'Most colours of a site', ...whole(1, 256) })
 * assert.equal(COLOURS_MAX.parse('32'), 32)
 * assert.equal(COLOURS_MAX.parse('1000'), undefined)
 */
export function setting<T>(declared: Setting<T>): Setting<T> {
  return Object.freeze(declared)
}

/** An integer in this range. */
export const whole = (min: number, max: number) => ({
  parse: (text: string) => (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
  wants: `a whole number from ${min} to ${max}`,
})

/** One of these texts. */
export const oneOf = <const T extends string>(...values: T[]) => ({
  parse: (text: string) => values.find(value => value === text),
  wants: values.map(value => `"${value}"`).join(' or '),
})

/** A comma-separated list of addresses and CIDR ranges. */
export const ranges = {
  parse: (text: string) => {
    const list = text
      .split(',')
      .map(part => part.trim())
      .filter(Boolean)
    return list.every(isRange) ? list : undefined
  },
  wants: 'a comma list of IP addresses and CIDR ranges',
}

function isRange(text: string): boolean {
  const [address = '', bits = '0', more] = text.split('/')
  return isIP(address) > 0 && more === undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)
}
