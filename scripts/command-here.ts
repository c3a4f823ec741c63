/** How to type another command here: in a standalone archive, with npx, or in the folder of the package. */
export function commandHere(name: string): string {
  const { FOOTFALL_LAUNCHER, npm_command } = process.env
  if (FOOTFALL_LAUNCHER !== undefined) return `${FOOTFALL_LAUNCHER} ${name}`
  return npm_command === 'exec' ? `npx footfall ${name}` : `npm run -s ${name} --`
}
