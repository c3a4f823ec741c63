/** Small faults that a test should notice, found in a source by its syntax: never in types, comments or texts. */
import { ts } from '../../tools/typescript.mjs'

export interface Mutation {
  readonly kind: string
  /** Offsets in the source, and the replacement. */
  readonly from: number
  readonly to: number
  readonly text: string
  /** Line in the source, from 1, and its text. */
  readonly line: number
  readonly code: string
  /** The nearest named function or declaration around it. */
  readonly place: string
}

const others = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
])

interface Add {
  readonly node: ts.Node
  readonly kind: string
  readonly instead: string
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** All mutations of a source, in its order. */
export function mutationsOf(file: string, text: string): Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  const found: Mutation[] = []

  function add({ node, kind, instead, from = node.getStart(source), to = node.getEnd() }: Add): void {
    const { line } = source.getLineAndCharacterOfPosition(from)
    found.push({ kind, from, to, text: instead, line: line + 1, code: (lines[line] ?? '').trim(), place: placeOf(node) })
  }

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      const other = others.get(node.operatorToken.kind)
      if (other) add({ node: node.operatorToken, kind: `${node.operatorToken.getText(source)} becomes ${other}`, instead: other })
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add({ node, kind: 'drop !', instead: node.operand.getText(source) })
    if (ts.isNumericLiteral(node) && isInFunction(node)) {
      const value = Number(node.text)
      add({ node, kind: `${node.text} becomes ${value + 1}`, instead: String(value + 1) })
      if (value > 0) add({ node, kind: `${node.text} becomes ${value - 1}`, instead: String(value - 1) })
    }
    if (ts.isExpressionStatement(node) && isCall(node.expression)) add({ node, kind: 'remove the statement', instead: ';' })
    if (ts.isCallExpression(node) && node.arguments.length === 2) {
      const [first, second] = node.arguments as unknown as [ts.Expression, ts.Expression]
      if (ts.isIdentifier(first) && ts.isIdentifier(second))
        add({
          node,
          kind: 'swap the arguments',
          instead: `${second.text}, ${first.text}`,
          from: first.getStart(source),
          to: second.getEnd(),
        })
    }
    if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body as ts.Node)) {
      const body = node.body as ts.Block
      if (body.statements.length > 0 && !body.statements.some(returnsValue))
        add({ node: body, kind: 'return at once', instead: 'return;', from: body.getStart(source) + 1, to: body.getStart(source) + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const isCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) || (ts.isAwaitExpression(node) && ts.isCallExpression(node.expression))

function returnsValue(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false
  if (ts.isReturnStatement(node) && node.expression) return true
  return ts.forEachChild(node, child => returnsValue(child) || undefined) ?? false
}

function isInFunction(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at; at = at.parent) if (ts.isFunctionLike(at)) return true
  return false
}

/** Names it within its file, wherever the file is. */
function placeOf(node: ts.Node): string {
  const names: string[] = []
  for (let at: ts.Node | undefined = node; at; at = at.parent)
    if (
      (ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at) || ts.isVariableDeclaration(at) || ts.isPropertyAssignment(at)) &&
      at.name
    )
      names.unshift(at.name.getText())
  return names.join('.')
}
