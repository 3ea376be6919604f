export function isForThisMachine(name: string): boolean;
export function packRelease(folder: string, isWanted?: (name: string) => boolean): string[];
