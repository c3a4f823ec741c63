/** Run by `npm ci` and `npm pack`: builds `dist/`, unless development packages are missing. */
import { build, canBuild, isBuilt } from './up-to-date.mjs'

if (canBuild()) process.exitCode = build() ? 0 : 1
else if (!isBuilt()) {
  process.stderr.write('Nothing is built: building takes the development packages. Run "npm ci", or take dist/ from where it was built.\n')
}
