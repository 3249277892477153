export function folderOf(path: string): string
