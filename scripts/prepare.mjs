/** `npm ci` and `npm pack` come here: builds `dist/`. Without the development packages there is nothing to build with. */
import { build, canBuild, isBuilt } from './up-to-date.mjs'

if (canBuild()) process.exitCode = build() ? 0 : 1
else if (!isBuilt()) {
  process.stderr.write('Nothing is built: building takes the development packages. Run "npm ci", or take dist/ from where it was built.\n')
}
