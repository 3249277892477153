import { describe, expect, it } from 'vitest'
import { sourceFiles } from './source'

interface Rule {
  readonly what: string
  readonly writes: readonly RegExp[]
  readonly tells: RegExp
  /** Functions that need not tell, with the reason. */
  readonly exempt: Readonly<Record<string, string>>
}

/** Statements of these kinds on a table, by its name in Drizzle and in SQL. */
function write(interactions: string, drizzle: string, table: string): RegExp {
  return new RegExp(
    String.raw`\.(${interactions})\(${drizzle}\)|(insert into|update|delete from) (\$\{${drizzle}\}|${table}\b)`,
  )
}

const allInteractions = 'insert|update|delete'

const rules: readonly Rule[] = [
  {
    what: 'whom somebody meets is told as rules.changed',
    writes: [
      write(allInteractions, 'blocks', 'blocks'),
      write(allInteractions, 'mutes', 'mutes'),
      write(allInteractions, 'accountDomainBlocks', 'account_domain_blocks'),
      /\bdeleteSomeBlocksAndMutesBy\(/,
      /\.update\(users\)\s*\.set\(\{ settings/,
    ],
    tells: /kind: 'rules\.changed'|publishToBoth\(/,
    exempt: {
      expireMutes: 'whoever holds a mute knows when it ends',
      purgeAccountData:
        'sessions of a deleted account end, and of a remote one there is nothing more to hear',
      deleteSomeBlocksAndMutesBy: 'statements for the one above',
      setSettings: 'what clients may set is how one posts',
      saveMailSettings: 'mail goes by none of these rules',
      saveHomeChoices: 'the home page alone goes by it',
      saveLook: 'pages alone have a look',
      saveColumns: 'the page of columns alone goes by it',
      saveCatchUpChoices: 'catch-up alone goes by it',
    },
  },
  {
    what: 'whether somebody may be here, and as what, is told as sessions.ended or standing.changed',
    writes: [
      write('delete', 'accessTokens', 'access_tokens'),
      write('delete', 'sessions', 'sessions'),
      write('delete', 'users', 'users'),
      write('delete', 'accounts', 'accounts'),
      /\.set\(\{[^}]*\bdisabledAt\b(?!: null)/,
      /\.set\(\{[^}]*\broleId\b/,
      /\bsuspendedAt: (now|ctx\.clock)|\.set\(\{ suspendedAt \}\)/,
    ],
    tells: /kind: '(sessions\.ended|standing\.changed)'/,
    exempt: {
      clearAccounts: 'people of another server listen to nothing here',
      suspendPart: 'people of another server listen to nothing here',
      severFollows: 'changes counters alone',
      countStatuses: 'changes counters alone',
      uncountReblogs: 'changes counters alone',
      deletePrunedAccounts: 'people of another server listen to nothing here',
      deleteSomeSignIns: 'statements for an account that was locked out, which ended its sessions',
      deleteSurplusSessions:
        'the longest unseen of a hundred browsers; its sockets are found when rights are checked',
      deleteLongestUnused: 'an application by itself listens to nothing',
      pruneExpired: 'an application by itself listens to nothing',
      makeRemovedAuthor: 'makes an account that is nobody',
      followSuspension: 'people of another server listen to nothing here',
      addRemoteDeletion: 'people of another server listen to nothing here',
    },
  },
]

interface Function {
  readonly path: string
  readonly name: string
  readonly body: string
}

/** The functions of a file that begin at the left margin. */
function functionsIn({ path, text }: { readonly path: string; readonly text: string }): readonly Function[] {
  return text.split(/^(?=(?:export )?(?:async )?function )/m).flatMap((body) => {
    const name = /^(?:export )?(?:async )?function (\w+)/.exec(body)?.[1]
    return name === undefined ? [] : [{ path, name, body }]
  })
}

const functions = sourceFiles('src').flatMap(functionsIn)

describe('cached rules of connected users', () => {
  for (const { what, writes, tells, exempt } of rules) {
    const writing = functions.filter(({ body }) => writes.some((pattern) => pattern.test(body)))

    it(`${what}: changes.publish({ kind, accountId }) for each local account concerned`, () => {
      const silent = writing.filter(({ name, body }) => !(name in exempt) && !tells.test(body))
      expect(silent.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
    })

    it(`${what}: every pattern finds its writers, and every exemption is one`, () => {
      for (const pattern of writes)
        expect(
          functions.some(({ body }) => pattern.test(body)),
          String(pattern),
        ).toBe(true)
      expect(Object.keys(exempt).filter((name) => !writing.some((one) => one.name === name))).toEqual([])
    })
  }
})
