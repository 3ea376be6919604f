/**
 * Words that are ignored in queries: function words, question words and a few verbs common to all questions. Words that
 * are frequent in code are not ignored, because they improve the results.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its is are was were be been being am do does did done doing has have had having
  i we you he she they me us them my our your their his her what which who whom whose when where why how and or but if
  then than so as at by for from in into of on onto to up with without within about above below between through during
  before after over under again further once here there all any both each few more most other some such no nor not only
  own same too very can could will would shall should may might must use used uses using work works working get gets
  getting make makes made via per vs etc upon while because until against along across behind toward towards among
  want need like just also ever still lot let lets please`.split(/\s+/),
);

/** Abbreviations that programmers use. Each line lists the short form and then its long forms. */
const ABBREVIATIONS = `auth authentication authorization authenticate authorize
config configuration configure cfg conf
db database
msg message
req request
res response resp
err error
ctx context
env environment
param parameter params
arg argument args
attr attribute attrs
func function fn
impl implementation implement
init initialize initialization
info information
max maximum
min minimum
num number
obj object
prop property props
ref reference
repo repository
spec specification
str string
sync synchronize synchronization
async asynchronous
temp temporary tmp
val value
var variable
util utility utils
admin administration administrator
app application
auto automatic automatically
dir directory
doc documentation document
exec execute execution
exp expression expr
ext extension
gen generate generator generation
id identifier identity
img image
lang language
lib library
mgr manager
nav navigation
opt option options
pkg package
prev previous
proc process
prod production
pub public publish
recv receive
regex regexp
sess session
src source
stat statistics stats
sub subscribe subscription
sys system
tx transaction
url uri
usr user
ws websocket
cmd command
cert certificate
cache caching
conn connection connect
pool pooling
del delete
dev development
dict dictionary
dup duplicate
elem element
eval evaluate evaluation
fmt format formatting
idx index
len length
mem memory
net network
op operation operator
perm permission
pos position
pred predicate
priv private
pwd password passwd
rand random
seq sequence
sig signature
tok token
ver version
win window
ser serialize serialization serializer
deser deserialize deserialization
mid middleware`;

const partners = new Map<string, Set<string>>();
for (const line of ABBREVIATIONS.split("\n")) {
  const words = line.split(" ");
  const [short = ""] = words;
  for (const word of words) {
    const known = partners.get(word) ?? new Set<string>();
    // A short form is replaced by any of its long forms; a long form only by the short one.
    for (const other of word === short ? words : [short]) if (other !== word) known.add(other);
    partners.set(word, known);
  }
}

/** Returns other spellings of a word, such as `config` for `configuration` and the reverse. */
export function abbreviationsOf(word: string): ReadonlySet<string> {
  return partners.get(word) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
