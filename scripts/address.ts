import type { Config } from '../runtime/settings/config.ts'

/** The address shown to people: BASE_URL, or the one that the service listens on. */
export function addressOf({ BASE_URL, HOST, PORT }: Pick<Config, 'BASE_URL' | 'HOST' | 'PORT'>, port = PORT): string {
  if (BASE_URL !== '') return BASE_URL
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST === '0.0.0.0' ? 'localhost' : HOST}:${port}`
}
