// docs/operate/command-line.md, from the declarations.
import { optionRow, usageOf } from './help.mjs'
import { commonOptions } from './parse.mjs'

const introduction = `# Command line

Everything that operators do by command is done by one: \`npx fieldfare GROUP COMMAND\` in the folder of this repository
(or \`npm run fieldfare -- GROUP COMMAND\`). This page is generated from the declarations in \`scripts/commands\`; a test
compares them.

- **Where to.** Without further words a command addresses the instance that \`npm start\` runs, whatever its port, by the
  token in its folder. \`--url https://social.example.org\` names another one.
- **As whom.** Elsewhere a command takes the access token of an owner with the scopes \`admin:read\` and \`admin:write\`: from
  the environment variable \`FIELDFARE_TOKEN\`, by \`--token\`, or typed where it asks. The set-up token in \`SETUP_TOKEN\`
  serves as well, and for a few commands alone: \`owner\`, and whatever gives access to the account of somebody else; in the
  folder that a server was deployed from it is found in \`secrets.local.json\`, and sent to that server alone. Acts are in the audit log under the name of the owner; those by the set-up token as acts of the operator.
- **Which version.** Commands call the administration API of the instance. One that is too old for a command refuses it, and
  the command says which version it needs: deploy this version there first.
- **Locked out.** The set-up token does everything before there is an owner, and for an owner who lost their second factor
  (\`accounts disable-2fa\`). Commands with it, or with the token of an owner, also work from a network that is blocked, so
  that \`blocks remove\` can lift the block.
- **Results.** People read lines, programs \`--json\`: one document on stdout, of the shape that the declaration has. The
  exit code is 0 where it is done, 1 where it failed (the reason is on stderr, with \`--json\` as \`{"error": "..."}\`), and
  2 for words that the command does not understand.
- **What cannot be undone** (marked with !) says first what it would do, and asks. \`--dry-run\` stops there, \`--yes\` goes on
  without asking; without a terminal and without \`--yes\` nothing happens.
`

/** The whole document, in Markdown. */
export function documentOf({ groups, singles }) {
  const sections = groups.map((group) =>
    [
      `## ${group.name}`,
      '',
      `${group.summary}.`,
      '',
      ...group.notes.flatMap((note) => [cellText(note), '']),
      ...tableOf(group.commands),
    ].join('\n'),
  )
  return `${[
    introduction,
    ['## Options of each command', '', ...list(commonOptions)].join('\n'),
    ['## Commands without a group', '', ...tableOf(singles)].join('\n'),
    ...sections,
  ]
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')}\n`
}

function tableOf(commands) {
  return ['| command | what it does |', '| --- | --- |', ...commands.map(rowOf)]
}

function rowOf(command) {
  const { summary, args, options, destroys, asks } = command
  const mark = destroys === null || !asks ? '' : ' !'
  const details = [
    ...args.map(({ name, about }) => `\`${name}\`: ${about}`),
    ...Object.entries(options)
      .filter(([name]) => name !== 'yes' && name !== 'dry-run')
      .map(optionRow)
      .map(([name, about]) => `\`${name}\`: ${about}`),
  ]
  return `| \`${cellText(usageOf(command))}\`${mark} | ${[summary, ...details].map((text) => `${cellText(text)}.`).join('<br>')} |`
}

function list(options) {
  return Object.entries(options)
    .map(optionRow)
    .map(([name, about]) => `- \`${name}\`: ${cellText(about)}.`)
}

/** Text that cannot end a table cell. */
function cellText(text) {
  return text.replaceAll('|', '\\|')
}
