#if os(Linux)
  import Foundation
  import LinkSimulator
  import Testing

  struct ShellTests {
    private func run(_ script: String) async throws -> String {
      let scratch = try Scratch()
      defer { withExtendedLifetime(scratch) {} }
      return try await Program.run(script, in: scratch.folder)
    }

    @Test func `netcond get reports a closed standard output although it writes to a file`() async throws {
      let scratch = try Scratch()
      let output = try await Program.run("netcond get --virtual -o file >&-; echo $?; wc -c < file", in: scratch.folder)
      #expect(
        output
          == "netcond: Standard output cannot be written: Bad file descriptor. (netcond explain unwritable-file)\n1\n300000\n"
      )
    }

    @Test func `a full standard output is an error, and a closed pipe ends netcond silently`() async throws {
      #expect(
        try await run("netcond profiles --all > /dev/full; echo $?")
          == "netcond: Standard output cannot be written: No space left on device. (netcond explain unwritable-file)\n1\n"
      )
      let gone = "mkfifo go; (read < go; netcond show 3G; echo $? >&2) | (exec <&-; echo > go)"
      #expect(try await run(gone) == "141\n")
      // Without a reader for its JSON object, an error still has its status.
      #expect(try await run(gone.replacing("show 3G", with: "show --wrong --json")) == "2\n")
      #expect(try await run("netcond profiles --all | head -n 1 | wc -l") == "1\n")
    }

    @Test func `netcond get writes to a FIFO, a pipe and an open descriptor`() async throws {
      let script = """
        mkfifo fifo; wc -c < fifo & netcond get --virtual -o fifo --json > /dev/null; wait; test -p fifo && echo is one
        netcond get --virtual -o >(wc -c >&2) > /dev/null; wait $!
        echo first > log; netcond export 3G --to netem -o /dev/stdout >> log; head -n 2 log
        """
      #expect(try await run(script) == "300000\nis one\n300000\nfirst\n# down\n")
    }

    @Test(.enabled(if: Program.has("bash"))) func `bash completes commands, options, profiles and files`() async throws
    {
      let script = """
        source <(netcond completions bash); touch redirects
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _netcond; echo "${COMPREPLY[*]}"; }
        try netcond expo; try netcond get --prof; try netcond get --profile TUNN; try netcond get -p 'very\\ b'
        try netcond export 3G --to ne; try netcond simulate --congestion ''; try netcond check redi; try netcond help si
        try netcond retry --policy ful; try netcond show apple.3; try netcond completions z
        """
      let controls = PathConfiguration.CongestionControl.allCases.map(\.rawValue).joined(separator: " ")
      let words = [
        "export", "--profile", "tunnel", #"very\ bad\ network"#, "netem", controls, "redirects", "simulate",
        "full-jitter",
        "apple.3G", "zsh",
      ]
      #expect(try await run(script) == words.joined(separator: "\n") + "\n")
    }

    @Test(.enabled(if: Program.has("fish")))
    func `fish completes commands, profiles, formats and files`() async throws {
      let script = """
        netcond completions fish | source; touch redirects
        for line in 'netcond exp' 'netcond get --profile tunn' 'netcond get --profile very' 'netcond export 3G --to ne' \\
          'netcond check redi' 'netcond completions z'
          complete -C $line | string split -f 1 \\t
        end
        """
      let scratch = try Scratch()
      let words = try await Program.run(script, by: "fish", in: scratch.folder)
      #expect(words == "export\ntunnel\nvery bad network\nnetem\nredirects\nzsh\n")
    }

    @Test(.enabled(if: Program.has("zsh")))
    func `zsh completes commands, options, profiles and formats`() async throws {
      // zsh keeps its cache in the test's folder; `compadd` prints the completions.
      let script = """
        autoload -U compinit; compinit -u -d dump; source <(netcond completions zsh)
        compadd() { [[ $@[-1] == words ]] && print -r -- ${(M)words:#${current}*} || print -r -- ${(M)options:#${current}*} }
        _files() { print files }
        try() { words=("$@"); CURRENT=$#; _netcond }
        try netcond expo; try netcond get --prof; try netcond get --profile tunn; try netcond export 3G --to ne
        """
      let scratch = try Scratch()
      let output = try await Program.run(script, by: "zsh", in: scratch.folder)
      #expect(output == "export\n--profile\ntunnel\nfiles\nnetem\n")
    }

    @Test func `netcond reads standard input and pipes wherever it reads files`() async throws {
      let script = """
        profile='{ "name": "mine", "down": { "delay": "40 ms" }, "up": { "delay": "40 ms" } }'
        netcond show - <<< "$profile" | head -n 1
        netcond show <(echo "$profile") | head -n 1
        netcond check - <<< "$profile"
        netcond get --virtual --profile <(echo "$profile") | sed -n 2p
        netcond import netem <(echo 'delay 100ms') | grep -c '"delay": "100 ms"'
        netcond import netem - -o - <<< 'delay 100ms' | netcond show - | grep -c 100
        part() { netcond retry --profile wifi --policy none --seeds 4 --json --shard $1 2> /dev/null; }
        netcond merge <(part 1/2) <(part 2/2) --csv - 2> /dev/null | wc -l
        netcond get --virtual --trace csv:- 2> /dev/null | wc -l
        netcond get --virtual --data @- --json <<< hello | grep -o '"bytes_sent": 6'
        netcond simulate --cases - <<< '{"cases": []}' > /dev/null 2>&1; echo $?
        """
      #expect(
        try await run(script)
          == "mine\nmine\ngood  -  \"mine\"\nprofile mine, seed 0\n1\n2\n2\n2\n\"bytes_sent\": 6\n0\n")
    }
  }
#endif
