/** Names of Google Analytics 4. Its browsers in apps are web views of the system. */
import type { NameTable } from './table.ts'

export const ga4Names: NameTable = {
  browsers: [
    ['Android Browser', 'android runtime'],
    ['Chrome', 'mrchrome'],
    ['Firefox', 'user-agent: mozilla'],
    ['Internet Explorer', 'ie with chrome frame'],
    ['Opera', 'user-agent:opera'],
    ['WebKit', 'mozilla compatible agent | safari (in-app)'],
  ],
  systems: [
    // The public sample has removed the systems so; the version that is left is not known to be theirs.
    ['@', 'web'],
    ['Nintendo@', 'new nintendo 3ds | nintendo 3ds | nintendo switch | nintendo wii | nintendo wiiu'],
    ['PlayStation@', 'playstation 3 | playstation 4 | playstation 5 | playstation portable | playstation vita'],
    ['Symbian@', 'series60 | symbianos'],
    ['webOS', 'web0s'],
  ],
  devices: [],
}
