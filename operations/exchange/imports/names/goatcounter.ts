/**
 * Names of zgo.at/gadget, by which GoatCounter reads user agents. It knows few browsers: most of those made of Chromium are
 * `Chrome`. A distribution of Linux is the version of the system.
 */
import type { NameTable } from './table.ts'

export const goatcounterNames: NameTable = {
  browsers: [],
  systems: [
    ['CentOS', 'linux centos'],
    ['Debian', 'linux debian'],
    ['DragonFly', 'dragonfly bsd'],
    ['Fedora', 'linux fedora'],
    ['Ubuntu', 'linux ubuntu'],
    ['Windows@', 'windows ce'],
  ],
  devices: [],
}
