// The version of Node. Written for old ones: nothing here is newer than what they know.

/**
 * Sentence about a Node that is too old; null for one that is not. On Linux npm installs a newer one for the scripts, so
 * that the first only has to run npm.
 */
export function problemOfNode({ version, platform, arch }) {
  const bringsItsOwn = platform === 'linux' && (arch === 'x64' || arch === 'arm64')
  const least = bringsItsOwn ? 20 : 24
  const major = Number(/^v?(\d+)/.exec(version)[1])
  if (major >= least) return null
  return `Fieldfare needs Node ${least} or later, and this is Node ${version}: https://nodejs.org/en/download`
}

/** Ends the process with 1 and a sentence where Node is too old. */
export function refuseOldNode() {
  const problem = problemOfNode(process)
  if (problem === null) return
  console.error(problem)
  process.exit(1)
}
