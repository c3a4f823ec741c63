import { isIP } from 'node:net'
import { setting } from '../../../runtime/settings/setting.ts'

/** Asked for the TXT records that prove whose a domain is. */
export const DNS_SERVERS = setting({
  default: '',
  description:
    'Comma list of name servers (`1.1.1.1`, `127.0.0.1:5353`) asked for the proof of e-mail domains; default: those of the machine',
  parse: text => {
    const list = text
      .split(',')
      .map(part => part.trim())
      .filter(Boolean)
    return list.every(isServer) ? list : undefined
  },
  wants: 'a comma list of IP addresses, each with a port where it is not 53',
})

function isServer(text: string): boolean {
  const [, address = '', port = '53'] = /^\[?([^\]]*?)\]?(?::(\d{1,5}))?$/.exec(isIP(text) === 6 ? `[${text}]` : text) ?? []
  return isIP(address) > 0 && Number(port) > 0 && Number(port) < 65_536
}
