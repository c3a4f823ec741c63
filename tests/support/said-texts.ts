/** Texts that catalogues are asked for, found in the sources: in calls of `say`, in `phrases`, and in notices by mail. */
import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from '../../scripts/build/root.ts'

/** Sources below this folder, parsed; `.tsx` and `.ts`. */
export const sourcesIn = (folder: string): ts.SourceFile[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => path.join(root, folder, file))
    .map(file => ts.createSourceFile(path.relative(root, file), fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))

function literalsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)]
  return []
}

/** By text, the file that says it. */
export function saidTexts(sources: readonly ts.SourceFile[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const source of sources) {
    if (/\b(const|function) say\b(?! = await)/.test(source.text)) continue // has one of its own, of keys
    const add = (node: ts.Node, fits: (text: string) => boolean = () => true) => {
      for (const text of literalsOf(node).filter(fits)) found.set(text, source.fileName)
    }
    const sayers = new Set(['say', ...[...source.text.matchAll(/\bsay: (\w+)[ ,]/g)].flatMap(([, alias = '']) => alias)])
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) {
        const called = node.expression.getText(source)
        const [first] = node.arguments
        if (sayers.has(called) && first) add(first)
        if (called === 'phrases' && first && ts.isObjectLiteralExpression(first))
          for (const property of first.properties) if (ts.isPropertyAssignment(property)) add(property.initializer)
      }
      if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'what') add(node.initializer, text => text.includes(' '))
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}

/** Words between elements that no catalogue is asked for, as `file: text`. */
export function barePhrases(sources: readonly ts.SourceFile[]): string[] {
  const found: string[] = []
  for (const source of sources) {
    const visit = (node: ts.Node): void => {
      if (ts.isJsxElement(node) && /^(code|pre)$/.test(node.openingElement.tagName.getText(source))) return
      if (ts.isJsxText(node) && /\p{Ll}{2}/u.test(node.text)) found.push(`${source.fileName}: ${node.text.trim()}`)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}
