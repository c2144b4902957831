# SPDX-License-Identifier: MIT
# A formula of Homebrew. Whoever publishes a release puts in where its tarball is, and its sum.
class Trc < Formula
  desc "Packs, reduces, splits and measures memory-reference traces"
  homepage "https://trc.invalid"
  url "https://trc.invalid/trc-1.1.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "xxhash"
  depends_on "xz"
  depends_on "zstd"

  uses_from_macos "bzip2"
  uses_from_macos "zlib"

  def install
    system "meson", "setup", "build", *std_meson_args
    system "meson", "compile", "-C", "build", "--verbose"
    system "meson", "install", "-C", "build"
  end

  test do
    (testpath/"three.din").write "2 400000\n0 7f001000\n1 7f001008\n"
    system bin/"trc", "encode", "three.din", "three.trc"
    assert_equal (testpath/"three.din").read, shell_output("#{bin}/trc decode --to din three.trc -")
  end
end
