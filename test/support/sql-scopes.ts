/** The names one query gives its tables, and those it looks columns up by. `around` are the queries it stands in. */
interface Scope {
  readonly tables: string[]
  readonly used: Set<string>
  readonly around: readonly Scope[]
}

const tokenForm = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_]\w*|\S/g
const compounds = ['union', 'intersect', 'except']
const clauses = ['where', 'group', 'having', 'order', 'limit', 'window', 'returning', 'set', 'values']
const joins = ['join', 'left', 'right', 'full', 'inner', 'outer', 'cross', 'natural']
/** Words that may follow a table and are no alias of it. */
const noAliases = new Set([
  ...compounds,
  ...clauses,
  ...joins,
  'on',
  'using',
  'indexed',
  'not',
  'default',
  'select',
])

/**
 * The tables of sub-queries in `text` that go by the name of a table of a query around them and are looked up by it.
 *
 * A condition that is handed a column of the outer table and puts it into such a sub-query compares the inner table
 * with itself. SQLite finds nothing wrong with that, so no two tables of one nesting may share a name.
 */
export function capturedNames(text: string): string[] {
  return new Reading(text).captured()
}

class Reading {
  readonly #tokens: readonly string[]
  readonly #scopes: Scope[] = []
  #at = 0

  constructor(text: string) {
    this.#tokens = [...text.matchAll(tokenForm)].map(([token]) => token.toLowerCase().replaceAll('"', ''))
  }

  captured(): string[] {
    this.#query([])
    return this.#scopes.flatMap(({ tables, used, around }) =>
      tables.filter((name) => used.has(name) && around.some((outer) => outer.tables.includes(name))),
    )
  }

  get #word(): string {
    return this.#tokens[this.#at] ?? ')'
  }

  #before(word: string): boolean {
    return this.#tokens[this.#at - 1] === word
  }

  /** A query, up to the parenthesis that ends it. */
  #query(around: readonly Scope[]): void {
    let scope = this.#open(around)
    let inTables = false
    while (this.#word !== ')') {
      const word = this.#word
      const beginsTable =
        (word === 'from' && !this.#before('distinct')) ||
        (word === 'update' && !this.#before('do')) ||
        word === 'join' ||
        (word === ',' && inTables)
      if (word === 'with') this.#named(around)
      else if (beginsTable) {
        inTables = true
        this.#at += 1
        this.#table(scope)
      } else {
        if (compounds.includes(word)) scope = this.#open(around)
        if (compounds.includes(word) || clauses.includes(word)) inTables = false
        this.#expression(scope)
      }
    }
  }

  #open(around: readonly Scope[]): Scope {
    const scope = { tables: [], used: new Set<string>(), around }
    this.#scopes.push(scope)
    return scope
  }

  /** Reads a word of an expression, or a whole parenthesis with the queries in it. */
  #expression(scope: Scope): void {
    const word = this.#word
    this.#at += 1
    if (word === '.')
      for (const one of [scope, ...scope.around]) one.used.add(this.#tokens[this.#at - 2] ?? '')
    if (word !== '(') return
    if (['select', 'with', 'values'].includes(this.#word)) this.#query([...scope.around, scope])
    else while (this.#word !== ')') this.#expression(scope)
    this.#at += 1
  }

  /** Queries that get a name: they see nothing of the one they are for. */
  #named(around: readonly Scope[]): void {
    do {
      this.#skipTo('as')
      this.#skipTo('(')
      this.#at += 1
      this.#query(around)
      this.#at += 1
    } while (this.#word === ',')
  }

  #skipTo(word: string): void {
    while (this.#at < this.#tokens.length && this.#word !== word) this.#at += 1
  }

  #table(scope: Scope): void {
    let name = this.#word
    this.#at += 1
    const isQuery = name === '(' && ['select', 'with', 'values'].includes(this.#word)
    if (isQuery) {
      this.#query(scope.around)
      this.#at += 1
    } else if (name === '(' || this.#word === '(') {
      if (name === '(') this.#at -= 1
      this.#expression(scope)
    }
    if (this.#word === 'as') this.#at += 1
    if (/^[a-z_]\w*$/.test(this.#word) && !noAliases.has(this.#word)) {
      name = this.#word
      this.#at += 1
    }
    scope.tables.push(name)
  }
}
