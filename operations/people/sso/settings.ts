import { isIP } from 'node:net'
import { setting } from '../../../runtime/settings/setting.ts'

/** Name servers for the TXT records that verify domains. */
export const DNS_SERVERS = setting({
  default: '',
  description:
    'Comma-separated name servers for the verification of e-mail domains, for example `1.1.1.1,127.0.0.1:5353`; default: the name servers of the machine',
  parse: text => {
    const list = text
      .split(',')
      .map(part => part.trim())
      .filter(Boolean)
    return list.every(isServer) ? list : undefined
  },
  wants: 'a comma-separated list of IP addresses, each with its port unless that is 53',
})

function isServer(text: string): boolean {
  const [, address = '', port = '53'] = /^\[?([^\]]*?)\]?(?::(\d{1,5}))?$/.exec(isIP(text) === 6 ? `[${text}]` : text) ?? []
  return isIP(address) > 0 && Number(port) > 0 && Number(port) < 65_536
}
