// The order of the documents on the site, and their names in its menu. A test asks for documents that are missing.

/** Parts of the menu. Decisions and journeys are found from the pages that list them. */
export const parts = [
  {
    title: 'Try it',
    documents: [
      ['docs/index.md', 'Start here'],
      ['docs/try/first-steps.md', 'First steps, with pictures'],
      ['docs/try/questions.md', 'Questions and answers'],
    ],
  },
  {
    title: 'Run it',
    documents: [
      ['docs/operate/requirements.md', 'What you need'],
      ['docs/operate/deploy.md', 'Deploy to Cloudflare'],
      ['docs/operate/deploy-by-button.md', 'Deploy by a button'],
      ['docs/operate/move-off.md', 'Your own machine'],
      ['docs/operate/container.md', 'Container'],
      ['docs/operate/configure.md', 'Configure'],
      ['docs/operate/troubleshooting.md', 'Troubleshooting'],
      ['docs/operate/moderate.md', 'Moderate'],
      ['docs/operate/command-line.md', 'Command line'],
      ['docs/operate/limits-and-costs.md', 'Limits and costs'],
      ['docs/operate/observe.md', 'Observe'],
      ['docs/operate/back-up.md', 'Back up'],
      ['docs/operate/prune.md', 'Prune'],
      ['docs/operate/upgrade.md', 'Upgrade'],
      ['docs/operate/rotate-secrets.md', 'Replace secrets'],
      ['docs/operate/archives.md', 'Archives'],
      ['docs/operate/export.md', 'Export'],
      ['docs/operate/compatibility.md', 'Compatibility'],
      ['docs/operate/threat-model.md', 'Threat model'],
      ['SECURITY.md', 'Security'],
      ['CHANGELOG.md', 'Changes'],
    ],
  },
  {
    title: 'Develop it',
    documents: [
      ['CONTRIBUTING.md', 'Contribute'],
      ['docs/develop/architecture.md', 'Architecture'],
      ['docs/develop/recipes.md', 'Recipes'],
      ['docs/develop/testing.md', 'Testing'],
      ['docs/develop/glossary.md', 'Glossary'],
      ['FEDERATION.md', 'Federation'],
      ['docs/decisions/README.md', 'Decisions'],
    ],
  },
]

/** Folders whose documents have no entry in the menu, and the document that lists them. */
export const unlisted = [
  ['docs/decisions/', 'docs/decisions/README.md'],
  ['docs/develop/journeys/', 'CONTRIBUTING.md'],
]
